/** `npm run replay`: what the guard makes of recorded series with seeded faults and moves in them. */
import { Command } from '@commander-js/extra-typings'
import { pairKey } from '../../shared/market/catalog.ts'
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
const names = (text: string) => text.split(',')
const seeds = (text: string) => names(text).map((seed) => readWhole('--inject', seed, 0, SEED_MAX))

const command = new Command('npm run replay --')
  .requiredOption(
    '--a <FILE>',
    'first source of every pair in it: CSV (observed_at,moneda,casa,compra,venta) or JSON lines ' +
      '({"committed_at","body":[...]})',
  )
  .option('--b <FILE>', "stands for the pair's next source of another provenance")
  .option('--inject <SEED,...>', 'seeds of the faults and moves', seeds, [61, 62, 63, 64, 65])
  .option('--fault <NAME>', 'the source to put faults into: first, second, or its name', 'first')
  .option('--pair <P,...>', 'only these pairs', names)
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

command.action(({ a, b, inject: seeds, pair: pairs, trials, fault, check, ...span }) => {
  const files = [a, b].flatMap((path) =>
    path === undefined ? [] : [within(readSeries(path), span)],
  )
  const market = marketOf(files).filter(({ pair }) => pairs?.includes(pairKey(pair)) ?? true)
  const options = { seeds, trials, fault, kinds: null, modes: ['two', 'alone'] as const }
  const found = reachedTargets(new Figures(inject(market, options)))
  console.log(targetTable(found))
  if (check && found.some(({ isMet }) => !isMet)) process.exitCode = 1
})
await runCommand(command)
