import { Command } from '@commander-js/extra-typings'
import { dayEnd, dayStart, formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { correctPoint } from '../import/corrections.ts'
import { type Price, priceToNumber } from '../../../shared/market/price.ts'
import { parseInstant, readPrice } from '../import/formats.ts'
import type { StoredPoint } from '../import/merge.ts'
import { CommandError } from '../../support/arguments.ts'
import { run } from './command.ts'
import { day, readPair } from './read-values.ts'

const CACHES =
  'Updates the current quote, its reference and the daily candles at once. The next cycle (5 minutes) ' +
  'updates the board, and date reads of closed days at most a minute later. Browsers and proxies may ' +
  'keep date reads for up to 24 hours (60 seconds for today).'

export const pointsCommand = new Command('points').description(
  'Lists (the default), corrects and removes stored points.',
)

pointsCommand
  .command('list', { isDefault: true })
  .description('Lists the stored points of a pair. Both days are Argentine days, inclusive.')
  .argument('<PAIR>', '', readPair)
  .requiredOption('--from <DAY>', '', day('--from'))
  .requiredOption('--to <DAY>', '', day('--to'))
  .action(
    run(async ({ db, print }, pair, { from, to }) => {
      if (from > to) throw new CommandError('--from must not be after --to')
      const { results } = await db
        .prepare(
          'select at, buy, sell, source from points where pair = ? and at between ? and ? order by at',
        )
        .bind(pair.id, dayStart(from), dayEnd(to))
        .all<StoredPoint>()

      for (const { at, buy, sell, source } of results)
        print(`${formatArgentine(at)}  ${priceToNumber(buy)}  ${priceToNumber(sell)}  ${source}`)
      print(`${results.length} point${results.length === 1 ? '' : 's'} of ${pairKey(pair)}`)
    }),
  )

pointsCommand
  .command('replace')
  .description(
    `Corrects the value of a point. The table \`corrections\` keeps the old value. ${CACHES}`,
  )
  .argument('<PAIR>', '', readPair)
  .argument('<INSTANT>', '', readInstant)
  .argument('<BUY>')
  .argument('<SELL>')
  .requiredOption('--reason <TEXT>', 'why, for the table of corrections', readReason)
  .action(
    run(async ({ db, now, print }, pair, at, bought, sold, { reason }) => {
      const [buy, sell] = [readAmount(bought, pair), readAmount(sold, pair)]
      if (pair.singleValue && buy !== sell)
        throw new CommandError(`${pairKey(pair)} has one value: give it as buy and as sell`)
      if (buy > sell) throw new CommandError(`${bought} / ${sold} is a buy above its sell`)
      const value = { buy, sell }
      if (!(await correctPoint(db, { pair, at, value, reason, now: now() })))
        throw new CommandError(`${NO_POINT}, or it has this value already`)
      print(`${pairKey(pair)} ${formatArgentine(at)} is now ${bought} / ${sold}`)
    }),
  )

pointsCommand
  .command('remove')
  .description(`Removes a point. The value before it stays in effect. ${CACHES}`)
  .argument('<PAIR>', '', readPair)
  .argument('<INSTANT>', '', readInstant)
  .requiredOption('--reason <TEXT>', 'why, for the table of corrections', readReason)
  .action(
    run(async ({ db, now, print }, pair, at, { reason }) => {
      if (!(await correctPoint(db, { pair, at, reason, now: now() })))
        throw new CommandError(NO_POINT)
      print(`${pairKey(pair)} ${formatArgentine(at)} is removed`)
    }),
  )

const NO_POINT = 'there is no point at exactly this instant'

function readInstant(text: string): Instant {
  const at = parseInstant(text)
  if (at === null)
    throw new CommandError(`${text} is no instant with a zone, as the list prints them`)
  return at
}

function readAmount(text: string, pair: Pair): Price {
  const price = readPrice(text, pair)
  if (typeof price === 'string') throw new CommandError(`${text} is no price`)
  return price
}

function readReason(text: string): string {
  if (!text.trim()) throw new CommandError('add a reason: --reason TEXT')
  return text.trim()
}
