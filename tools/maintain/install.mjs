// Installs the locked dependencies when they are missing or other than the lock file says. Plain
// JavaScript that runs on the system's Node 20, before the locked newer Node exists. No package's
// own script runs.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'

/** The lock names no registry; with this host npm takes the one that it is set to use. */
const ANY_REGISTRY = 'https://registry.invalid'

/** One short retry: what comes after it has npm's own long ones. */
const BY_ADDRESS = [
  '--replace-registry-host=always',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
]

const BESIDE = '.install-'
/** No install takes that long. */
const ABANDONED_MS = 60 * 60 * 1000

if (!isCurrent()) {
  console.error('installing the locked dependencies…')
  // Where a registry keeps its files at other addresses, npm asks it for each of them.
  const isInstalled = installByAddress() || isCurrent() || npm('.', 2)
  const isWhole = isInstalled && isCurrent()
  if (isInstalled && !isWhole)
    console.error('error: npm left packages out, or brought no Node 22 or newer for this system')
  if (!isWhole) process.exitCode = 1
}

/**
 * Installs beside node_modules and moves it there whole. With an address for each package npm reads
 * no list of versions, and nothing again that its cache holds: half of the work. Checksums hold as
 * ever.
 */
function installByAddress() {
  removeAbandoned()
  const beside = mkdtempSync(BESIDE)
  try {
    for (const file of ['package.json', '.npmrc']) copyFileSync(file, join(beside, file))
    writeFileSync(join(beside, 'package-lock.json'), JSON.stringify(lockWithAddresses()))
    return npm(beside, 'ignore', ...BY_ADDRESS) && replaceModules(join(beside, 'node_modules'))
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

/** False where they cannot be: they are a mounted volume, or another start has put its own there. */
function replaceModules(made) {
  try {
    if (existsSync('node_modules')) renameSync('node_modules', `${made}.before`)
    renameSync(made, 'node_modules')
    return true
  } catch {
    return false
  }
}

/** What an install that was interrupted left behind. */
function removeAbandoned() {
  const names = readdirSync('.').filter((name) => name.startsWith(BESIDE))
  for (const name of names) {
    const madeAt = statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (madeAt < Date.now() - ABANDONED_MS) rmSync(name, { recursive: true, force: true })
  }
}

function lockWithAddresses() {
  const lock = readJson('package-lock.json')
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const file = `${name.split('/').pop()}-${entry.version}.tgz`
    entry.resolved = `${ANY_REGISTRY}/${name}/-/${file}`
  }
  return lock
}

/** Whether npm did it. Its complaints go to `complaints`: standard error or nowhere. */
function npm(cwd, complaints, ...options) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', ...quiet, ...options], {
    cwd,
    stdio: ['ignore', complaints, complaints],
  })
  return status === 0
}

/** npm writes what it installed into node_modules; compare that with the lock, package by package. */
function isCurrent() {
  const installed = 'node_modules/.package-lock.json'
  // One that was interrupted while it was taken away may have lost its commands first.
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

/** npm is silent when it cannot fetch an optional package, but one for this system has to be here. */
function mayLack({ optional, os, cpu, libc, bin }) {
  const isForHere = os?.includes(process.platform) && cpu?.includes(process.arch) && !libc
  return optional && (!isForHere || Boolean(bin?.node))
}

/** The locked Node; for a system that has none, its own does when it is new enough. */
function hasNode(packages) {
  const link = 'node_modules/.bin/node'
  if (existsSync(link)) return true

  const found = Object.entries(packages).find(([, { bin }]) => bin?.node)
  if (!found) return Number.parseInt(process.versions.node, 10) >= 22
  // npm 10 takes the link away with the variants for other systems, which bring one of the same name.
  const [path, { bin }] = found
  rmSync(link, { force: true })
  symlinkSync(relative('node_modules/.bin', join(path, bin.node)), link)
  return true
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
