/** `npm run replay`: what the guard makes of recorded series with seeded faults and moves in them. */
import { Command, Option } from '@commander-js/extra-typings'
import { readWhole, runCommand, UsageError, whole } from '../support/arguments.ts'
import { Figures } from './replay/figures.ts'
import { inject } from './replay/inject.ts'
import { reachedTargets, targetTable } from './replay/targets.ts'
import { marketOf, within } from './replay/sources.ts'
import { readSeries } from './replay/series.ts'

const MOST_TRIALS = 100_000
const SEED_MAX = 2 ** 32 - 1
const day = (text: string) => {
  if (Number.isNaN(Date.parse(text))) throw new UsageError(`${text} is no day`)
  return Date.parse(text)
}
const seeds = (text: string) =>
  text.split(',').map((seed) => readWhole('--inject', seed, 0, SEED_MAX))

const command = new Command('npm run replay --')
  .requiredOption(
    '--a <FILE>',
    'first source of every pair in it: CSV (observed_at,moneda,casa,compra,venta) or JSON lines ' +
      '({"committed_at","body":[...]})',
  )
  .option('--b <FILE>', "stands for the pair's next source of another provenance")
  .option('--inject <SEED,...>', 'seeds of the faults and moves', seeds, [61, 62, 63, 64, 65])
  .addOption(
    new Option('--fault <WHICH>', 'the source to put faults into')
      .choices(['first', 'second'])
      .default('first' as const),
  )
  .addOption(
    whole(
      '--trials <N>',
      'faults of each kind for each pair and seed; half as many of each move',
      0,
      MOST_TRIALS,
    ).default(12),
  )
  .option('--from <DAY>', 'leaves out what was said before this day (2024-08-26)', day)
  .option('--until <DAY>', 'leaves out what was said from this day on', day)
  .option('--check', 'fails when a target is missed', false)

command.action(({ a, b, inject: seeds, trials, fault, check, ...span }) => {
  const files = [a, b].flatMap((path) =>
    path === undefined ? [] : [within(readSeries(path), span)],
  )
  const found = reachedTargets(new Figures(inject(marketOf(files), { seeds, trials, fault })))
  console.log(targetTable(found))
  if (check && found.some(({ isMet }) => !isMet)) process.exitCode = 1
})
await runCommand(command)
