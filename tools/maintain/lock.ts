/**
 * `npm run lock`: after a change of Scalar's version, takes out of package-lock.json again what npm
 * wrote there for it alone.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
import { runCommand } from '../support/arguments.ts'

const LOCK = 'package-lock.json'

const command = new Command('npm run lock --').description(
  'takes packages out of the lock that are needed by no script of ours (docs/supply-chain.md)',
)

command.action(() => {
  const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as {
    packages: Record<string, { dependencies?: unknown }>
  }
  delete lock.packages['node_modules/@scalar/api-reference']?.dependencies
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
  // npm drops what nothing depends on any more.
  const { status } = spawnSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
})
await runCommand(command)
