// Installs the locked dependencies when they are missing or older than the lock file. Plain
// JavaScript that runs on the system's Node 20, before the locked newer Node exists.
//
// No package's own script runs, but those of the names that `allowScripts` in package.json allows.
// Recent npm reads that field itself; the npm of Node 20 would run everything, so it is done here.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

if (!isCurrent()) {
  console.error('installing the locked dependencies…')
  // `npm ci` refuses a lock without the variants for other systems that a registry does not have;
  // `npm install --no-save` takes the same locked versions and passes over what is not there.
  const isInstalled =
    npm('ignore', 'ci', '--ignore-scripts') || npm(2, 'install', '--no-save', '--ignore-scripts')
  const isDone = isInstalled && npm(2, 'rebuild', ...allowedScripts())
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

/** The packages that may run scripts when they are installed. */
function allowedScripts() {
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  return Object.keys(allowScripts).filter((name) => allowScripts[name])
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
