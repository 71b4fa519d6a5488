// Installs the locked dependencies when they are missing or older than the lock file. Plain
// JavaScript that runs on the system's Node 20, before the locked newer Node exists.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

if (!isCurrent()) {
  console.error('installing the locked dependencies…')
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
  })
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
