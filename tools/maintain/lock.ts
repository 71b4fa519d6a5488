/**
 * `npm run lock`: after a change of Scalar's version, takes out of package-lock.json again what npm
 * wrote there for it alone (docs/supply-chain.md).
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const LOCK = 'package-lock.json'

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
