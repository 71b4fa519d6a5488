import { Command } from '@commander-js/extra-typings'
import { dayEnd, dayStart, formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { correctPoint } from '../import/corrections.ts'
import { type Price, priceToNumber } from '../../../shared/market/price.ts'
import { parseInstant, readPrice } from '../import/formats.ts'
import type { StoredPoint } from '../import/merge.ts'
import { adminCommand, type AdminContext, AdminError } from './command.ts'
import { day, readPair } from './read-values.ts'

const CACHES =
  'Updates the current quote, its reference and the daily candles at once. The next cycle (5 minutes) ' +
  'updates the board, and date reads of closed days at most a minute later. Browsers and proxies may ' +
  'keep date reads for up to 24 hours (60 seconds for today).'

const listCommand = adminCommand(
  new Command('list')
    .description('Lists the stored points of a pair. Both days are Argentine days, and included.')
    .argument('<PAIR>', '', readPair)
    .requiredOption('--from <DAY>', '', day('--from'))
    .requiredOption('--to <DAY>', '', day('--to')),
  runList,
)

const replaceCommand = adminCommand(
  new Command('replace')
    .description(
      `Corrects the value of a point. The table \`corrections\` keeps the old value. ${CACHES}`,
    )
    .argument('<PAIR>', '', readPair)
    .argument('<INSTANT>', '', readInstant)
    .argument('<BUY>')
    .argument('<SELL>')
    .requiredOption('--reason <TEXT>', '', reason),
  runReplace,
)

const removeCommand = adminCommand(
  new Command('remove')
    .description(`Removes a point. The value before it stays in effect. ${CACHES}`)
    .argument('<PAIR>', '', readPair)
    .argument('<INSTANT>', '', readInstant)
    .requiredOption('--reason <TEXT>', '', reason),
  runRemove,
)

export const pointsCommand = new Command('points')
  .description('Lists (the default), corrects and removes stored points.')
  .addCommand(listCommand, { isDefault: true })
  .addCommand(replaceCommand)
  .addCommand(removeCommand)

async function runList(
  [pair]: [Pair],
  { db, print }: AdminContext,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (from > to) throw new AdminError('--from must not be after --to')
  const { results } = await db
    .prepare(
      'select at, buy, sell, source from points where pair = ? and at between ? and ? order by at',
    )
    .bind(pair.id, dayStart(from), dayEnd(to))
    .all<StoredPoint>()

  for (const { at, buy, sell, source } of results) {
    print(`${formatArgentine(at)}  ${priceToNumber(buy)}  ${priceToNumber(sell)}  ${source}`)
  }
  print(`${results.length} point${results.length === 1 ? '' : 's'} of ${pairKey(pair)}`)
}

async function runReplace(
  [pair, at, ...amounts]: [Pair, Instant, string, string],
  { db, now, print }: AdminContext,
  { reason }: { reason: string },
): Promise<void> {
  const [buy, sell] = amounts.map((text) => readAmount(text, pair)) as [Price, Price]
  if (pair.singleValue && buy !== sell) {
    throw new AdminError(`${pairKey(pair)} has one value: give it as buy and as sell`)
  }
  if (buy > sell) throw new AdminError(`${amounts.join(' / ')} is a buy above its sell`)
  const value = { buy, sell }
  if (!(await correctPoint(db, { pair, at, value, reason, now: now() }))) {
    throw new AdminError('no point stands at exactly this instant, or it has this value already')
  }
  print(`${pairKey(pair)} ${formatArgentine(at)} is now ${amounts.join(' / ')}`)
}

async function runRemove(
  [pair, at]: [Pair, Instant],
  { db, now, print }: AdminContext,
  { reason }: { reason: string },
): Promise<void> {
  if (!(await correctPoint(db, { pair, at, reason, now: now() }))) {
    throw new AdminError('no point stands at exactly this instant')
  }
  print(`${pairKey(pair)} ${formatArgentine(at)} is removed`)
}

function readInstant(text: string): Instant {
  const at = parseInstant(text)
  if (at === null)
    throw new AdminError(`${text} is no instant with a zone, as the list prints them`)
  return at
}

function readAmount(text: string, pair: Pair): Price {
  const read = readPrice(text, pair)
  if ('wrong' in read) throw new AdminError(`${text} is no price: ${read.wrong}`)
  return read.price
}

function reason(text: string): string {
  if (!text.trim()) throw new AdminError('say why with --reason TEXT')
  return text.trim()
}
