import { readArguments } from '../harness/arguments.ts'
import { dayEnd, dayStart, formatArgentine, isDay } from '../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../shared/market/catalog.ts'
import { removePoint, replacePoint } from '../../shared/db/quotes/corrections.ts'
import { type Price, priceToNumber } from '../../shared/market/price.ts'
import { parseInstant } from '../import/formats.ts'
import { readPrice } from '../import/read-price.ts'
import type { StoredPoint } from '../import/merge.ts'
import { withdrawStatements } from '../../shared/db/alerts/withdraw.ts'
import { type AdminCommand, type AdminContext, AdminError } from './command.ts'
import { readPair } from './words.ts'

const CACHES = [
  'The current quote, its reference and the daily candles follow. The board follows with the next',
  'cycle (5 minutes), and so do date reads of closed days, a minute later at the most. Browsers and',
  'proxies may keep those for up to 24 hours (60 seconds for today). Alerts that the value fired are',
  'told that it was withdrawn.',
].join('\n')

export const listPoints: AdminCommand = {
  name: 'points',
  usage: 'PAIR --from DAY --to DAY',
  summary: 'Lists the stored points of a pair, from and to inclusive, in Argentine days.',
  run: runList,
}

export const replaceCommand: AdminCommand = {
  name: 'points replace',
  usage: 'PAIR INSTANT BUY SELL --reason TEXT',
  summary: 'Corrects the value of a point; who looks later finds the old one in `corrections`.',
  details: CACHES,
  run: runReplace,
}

export const removeCommand: AdminCommand = {
  name: 'points remove',
  usage: 'PAIR INSTANT --reason TEXT',
  summary: 'Takes a point away; the value before it stays in effect.',
  details: CACHES,
  run: runRemove,
}

async function runList(args: string[], { db, print }: AdminContext): Promise<void> {
  const { from, to, positionals } = readWords(args, 1)
  const pair = readPair(positionals[0]!)
  if (!from || !to || !isDay(from) || !isDay(to)) {
    throw new AdminError('--from and --to must be days as 2025-03-31')
  }
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

async function runReplace(args: string[], { db, now, print }: AdminContext): Promise<void> {
  const { reason, positionals } = readWords(args, 4)
  const pair = readPair(positionals[0]!)
  const at = readInstant(positionals[1]!)
  const [buy, sell] = [positionals[2]!, positionals[3]!].map((text) => readAmount(text, pair))
  if (pair.singleValue && buy !== sell) {
    throw new AdminError(`${pairKey(pair)} has one value: give it as buy and as sell`)
  }
  const correction = { pair, at, reason: required(reason), now: now(), buy: buy!, sell: sell! }
  const withdrawn = withdrawStatements(db, { pair, pointAt: at, now: correction.now })
  if (!(await replacePoint(db, correction, withdrawn))) {
    throw new AdminError('no point stands at exactly this instant, or it has this value already')
  }
  print(`${pairKey(pair)} ${formatArgentine(at)} is now ${positionals[2]} / ${positionals[3]}`)
}

async function runRemove(args: string[], { db, now, print }: AdminContext): Promise<void> {
  const { reason, positionals } = readWords(args, 2)
  const pair = readPair(positionals[0]!)
  const at = readInstant(positionals[1]!)

  const correction = { pair, at, reason: required(reason), now: now() }
  const withdrawn = withdrawStatements(db, { pair, pointAt: at, now: correction.now })
  if (!(await removePoint(db, correction, withdrawn))) {
    throw new AdminError('no point stands at exactly this instant')
  }
  print(`${pairKey(pair)} ${formatArgentine(at)} is removed`)
}

function readWords(args: string[], count: number) {
  const options = {
    from: { type: 'string' },
    to: { type: 'string' },
    reason: { type: 'string' },
  } as const
  const { values, positionals } = readArguments(args, options, { allowPositionals: true })
  if (positionals.length !== count) throw new AdminError('wrong number of arguments: see --help')
  return { ...values, positionals }
}

function readInstant(text: string): number {
  const at = parseInstant(text)
  if (at === null)
    throw new AdminError(`${text} is no instant with a zone, as the list prints them`)
  return at
}

function readAmount(text: string, pair: Pair): Price {
  const read = readPrice(text, pair, 1)
  if ('wrong' in read) throw new AdminError(`${text} is no price: ${read.wrong}`)
  return read.price
}

function required(reason: string | undefined): string {
  if (!reason?.trim()) throw new AdminError('say why with --reason TEXT')
  return reason.trim()
}
