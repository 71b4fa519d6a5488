/**
 * `npm run soak`: the real service among sources and receivers that fail at random, killed at
 * random; then the audit, and what the receivers saw against what is stored.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { readArguments, readSeed, readWhole, runCommand } from './harness/arguments.ts'
import { temporaryFolder } from './harness/scratch.ts'
import { report } from './soak/report.ts'
import { soak } from './soak/run.ts'

const USAGE = `npm run soak -- [options]

  --minutes 60   how long everything fails at random
  --seed N       makes the same choices again; chosen and printed when absent
  --state DIR    the folder to use and keep; it stays as well when a promise is broken`

await runCommand(USAGE, async (args) => {
  const { values } = readArguments(args, {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string' },
    state: { type: 'string' },
  })
  const minutes = readWhole('--minutes', values.minutes, 1, 10_000)
  const seed = readSeed(values.seed)
  const startedAt = Date.now()
  const stateDir = resolve(values.state ?? temporaryFolder())
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
})
