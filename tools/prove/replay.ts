/** `npm run replay`: runs the guard on recorded series with seeded faults and moves. */
import { Command } from '@commander-js/extra-typings'
import { readWhole, runCommand, UsageError } from '../support/arguments.ts'
import { tableOf } from './replay/figures.ts'
import { inject } from './replay/inject.ts'
import { marketOf, readSeries } from './replay/sources.ts'

const day = (text: string) => {
  if (Number.isNaN(Date.parse(text))) throw new UsageError(`${text} is no day`)
  return Date.parse(text)
}
const seeds = (text: string) =>
  text.split(',').map((seed) => readWhole('--inject', seed, 0, 2 ** 32 - 1))

const command = new Command('npm run replay --')
  .requiredOption(
    '--a <FILE>',
    'first source of every pair in it: CSV (observed_at,moneda,casa,compra,venta) or JSON lines ' +
      '({"committed_at","body":[...]})',
  )
  .option('--b <FILE>', "stands for the pair's next source of another provenance")
  .option('--inject <SEED,...>', 'seeds of the faults and moves', seeds, [61, 62, 63, 64, 65])
  .option('--from <DAY>', 'leaves out observations before this day (2024-08-26)', day)
  .option('--until <DAY>', 'leaves out observations from this day on', day)

command.action(({ a, b, inject: seeds, from, until }) => {
  const files = b === undefined ? [a] : [a, b]
  const market = marketOf(files.map((path) => readSeries(path, from, until)))
  console.log(tableOf(inject(market, seeds)))
})
await runCommand(command)
