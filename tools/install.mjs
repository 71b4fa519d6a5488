// Installs the locked dependencies when they are missing or older than the lock file. Plain
// JavaScript that runs on the system's Node 20, before the locked newer Node exists.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

if (!isCurrent()) {
  console.error('installing the locked dependencies…')
  // `npm ci` refuses a lock without the variants for other systems that a registry does not have;
  // `npm install --no-save` takes the same locked versions and passes over what is not there.
  const isDone = npm('ignore', 'ci') || npm(2, 'install', '--no-save')
  if (!isDone) process.exitCode = 1
}

/** Whether npm did it. Its complaints go to `complaints`: standard error or nowhere. */
function npm(complaints, ...command) {
  const options = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', [...command, ...options], {
    stdio: ['ignore', complaints, complaints],
  })
  return status === 0
}

/** npm writes what it installed into node_modules; compare that with the lock, package by package. */
function isCurrent() {
  const installed = 'node_modules/.package-lock.json'
  if (!existsSync(installed) || !existsSync('node_modules/.bin/node')) return false

  const have = JSON.parse(readFileSync(installed, 'utf8')).packages
  const want = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  return Object.entries(want).every(
    ([path, { version, optional }]) =>
      path === '' || have[path]?.version === version || (optional && !have[path]),
  )
}
