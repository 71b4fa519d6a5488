/**
 * `npm run soak -- [--minutes 60] [--seed N] [--state DIR]`: the real service among sources and
 * receivers that fail at random, killed at random; then the audit, and what the receivers saw
 * against what is stored. Exits with 1 when anything is false.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { report } from './soak/report.ts'
import { soak } from './soak/run.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    state: { type: 'string' },
  },
})
const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run soak -- [--minutes 60] [--seed N] [--state DIR]')
  process.exit(2)
}

const startedAt = Date.now()
const stateDir = resolve(values.state ?? mkdtempSync(join(tmpdir(), 'cotizaciones-soak-')))
mkdirSync(stateDir, { recursive: true, mode: 0o700 })
console.log(`soak of ${minutes} minutes, seed ${seed}, state ${stateDir}`)

const result = await soak({
  minutes,
  seed,
  stateDir,
  progress: (line) =>
    console.error(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${line}`),
})
const isKept = report(result, (line) => console.log(line))
console.log(isKept ? 'soak: every promise kept' : `soak: FALSE; its state is in ${stateDir}`)

if (isKept && values.state === undefined) rmSync(stateDir, { recursive: true, force: true })
// A fetch of the last moments may still hold its socket.
process.exit(isKept ? 0 : 1)
