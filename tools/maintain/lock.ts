/**
 * `npm run lock`: after a change of Scalar's version, removes from package-lock.json the packages
 * that npm added only for Scalar (docs/supply-chain.md).
 */
import { Command } from '@commander-js/extra-typings'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { runCommand } from '../support/arguments.ts'

const LOCK = 'package-lock.json'

await runCommand(
  new Command('npm run lock --')
    .description('removes from package-lock.json the packages that only Scalar needs')
    .action(writeLock),
)

function writeLock(): void {
  const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as {
    packages: Record<string, { dependencies?: unknown }>
  }
  delete lock.packages['node_modules/@scalar/api-reference']?.dependencies
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
  // npm removes packages that nothing depends on.
  const { status } = spawnSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
