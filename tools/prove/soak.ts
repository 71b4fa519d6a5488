/**
 * `npm run soak`: the real service among sources and receivers that fail at random, killed at
 * random; then the audit, and what the receivers saw against what is stored.
 */
import { Command } from '@commander-js/extra-typings'
import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { runCommand, seed, whole } from '../support/arguments.ts'
import { temporaryFolder } from '../support/scratch.ts'
import { report } from './soak/report.ts'
import { soak } from './soak/run.ts'

const command = new Command('npm run soak --')
  .addOption(whole('--minutes <N>', 'how long everything fails at random', 1, 10_000).default(60))
  .addOption(seed('--seed <N>', 'makes the same choices again'))
  .option('--state <DIR>', 'the folder to use and keep; it stays as well when a promise is broken')

command.action(async ({ minutes, seed, state }) => {
  const startedAt = Date.now()
  const stateDir = resolve(state ?? temporaryFolder())
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

  if (isKept && state === undefined) rmSync(stateDir, { recursive: true, force: true })
  // A fetch of the last moments may still hold its socket.
  process.exit(isKept ? 0 : 1)
})
await runCommand(command)
