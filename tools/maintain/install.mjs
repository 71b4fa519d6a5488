// Installs the locked dependencies when they are missing or differ from the lock file. Does not run
// the packages' install scripts. Plain JavaScript, because it runs on the system's Node 20, before
// the locked newer Node is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A file with the id of the process that is installing. */
const LOCK = '.install-lock'

if (process.argv[2] === '--help') {
  console.log('Usage: node tools/maintain/install.mjs (installs the locked dependencies)')
  process.exit()
}

if (!isCurrent()) {
  await lock()
  if (!isCurrent()) install()
  rmSync(LOCK, { force: true })
}

/** Waits for another installation to end, because two at once delete each other's files. */
async function lock() {
  while (true)
    try {
      return writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    } catch {
      if (isInstalling()) await sleep(200)
      else rmSync(LOCK, { force: true })
    }
}

/** Whether the process of the lock runs. A killed process leaves its lock behind. */
function isInstalling() {
  try {
    return process.kill(Number(readFileSync(LOCK, 'utf8')), 0)
  } catch {
    return false
  }
}

function install() {
  console.error('installing the locked dependencies…')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
  })
  const isWhole = status === 0 && isCurrent()
  if (status === 0 && !isWhole)
    console.error('error: npm left packages out, or brought no Node 22 or newer for this system')
  if (!isWhole) process.exitCode = 1
}

/** Compares npm's list of the installed packages with the lock file, package by package. */
function isCurrent() {
  const installed = 'node_modules/.package-lock.json'
  // An interrupted removal may have deleted the commands first.
  if (!existsSync(installed) || !existsSync('node_modules/.bin')) return false

  const have = readJson(installed).packages
  const want = readJson('package-lock.json').packages
  return (
    hasNode(have) &&
    Object.entries(want).every(
      ([path, entry]) =>
        path === '' || have[path]?.version === entry.version || (!have[path] && mayLack(entry)),
    )
  )
}

/** Only packages for other systems may be missing. npm ignores an optional one it cannot fetch. */
function mayLack({ optional, os, cpu, libc, bin }) {
  const isForHere = os?.includes(process.platform) && cpu?.includes(process.arch) && !libc
  return optional && (!isForHere || Boolean(bin?.node))
}

/** Whether the locked Node is installed or, if the lock has none for this system, Node is new. */
function hasNode(packages) {
  const link = 'node_modules/.bin/node'
  if (existsSync(link)) return true

  const found = Object.entries(packages).find(([, { bin }]) => bin?.node)
  if (!found) return Number.parseInt(process.versions.node, 10) >= 22
  // Restores the link, which npm 10 removes together with the variants for other systems, because
  // their links have the same name.
  const [path, { bin }] = found
  rmSync(link, { force: true })
  symlinkSync(relative('node_modules/.bin', join(path, bin.node)), link)
  return true
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
