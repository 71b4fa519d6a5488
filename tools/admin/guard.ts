import { formatArgentine, MINUTE_MS } from '../../shared/argentine-time.ts'
import { findPairByKey, type Pair, pairKey } from '../../shared/market/catalog.ts'
import { type CurrentQuote, inCatalogueOrder } from '../../shared/db/quotes/quotes.ts'
import type { currentQuotes } from '../../shared/db/schema.ts'
import { priceToNumber } from '../../shared/market/price.ts'
import { explain, type SourceOpinion } from '../../workers/scraper/guard/explain.ts'
import { type AdminCommand, type AdminContext, AdminError } from './command.ts'

export const guardCommand: AdminCommand = {
  name: 'guard',
  usage: 'PAIR',
  summary: 'Shows what the guard knows of each source of a pair, what it thinks of it and why.',
  details: [
    'For each source: its last word, how old it is, how far it usually stands from the value in',
    'effect (basis), the distance that proves something against another source (noise), between',
    'what its spread usually lies, how often it changes, and the rule that doubts it.',
    'The rules are explained in docs/guard.md.',
  ].join('\n'),
  run,
}

async function run(args: string[], { db, now, print }: AdminContext): Promise<void> {
  const pair = onePair(args)
  const { quotes, guard } = await readState(db)
  const current = quotes.find((quote) => quote.pair === pair) ?? null
  const at = now()
  const { sources, hold, offRelatives } = explain(pair, guard[pairKey(pair)], current, quotes, at)

  print(
    current
      ? `${pairKey(pair)}  ${sides(current)} of ${current.source} since ${formatArgentine(current.updatedAt)}`
      : `${pairKey(pair)}  has no value yet`,
  )
  print(`against its relatives: ${offRelatives === null ? 'not known' : percent(offRelatives)}`)
  print(
    hold
      ? `held: ${sides(hold)} of ${hold.source} for ${hold.cycles} cycles (${hold.reason})`
      : 'held: nothing',
  )
  for (const source of sources) print(lineOf(source, at))
}

async function readState(db: D1Database) {
  const [states, rows] = await db.batch([
    db.prepare('select guard from scraper_state'),
    db.prepare(
      `select pair, buy, sell, source, updated_at as updatedAt, last_scraped_at as lastScrapedAt,
         reference_sell as referenceSell from current_quotes`,
    ),
  ])
  const text = (states!.results[0] as { guard: string } | undefined)?.guard
  const quotes: CurrentQuote[] = inCatalogueOrder(
    rows!.results as (typeof currentQuotes.$inferSelect)[],
  )
  return { quotes, guard: JSON.parse(text ?? '{}') as Record<string, unknown> }
}

function lineOf(source: SourceOpinion, now: number): string {
  const { name, seenAt, changedAt, basis, noise, spread, interval, opinion } = source
  return [
    `${name}: ${opinion}`,
    `says ${sides(source)}`,
    `heard ${minutes(now - seenAt)} ago`,
    changedAt === null ? 'never changed' : `changed ${minutes(now - changedAt)} ago`,
    `basis ${basis ? `${percent(basis.buy)} / ${percent(basis.sell)}` : 'not known'}`,
    `noise ${noise === 0 ? 'not known' : percent(noise)}`,
    `spread ${spread ? `${percent(spread.low)} to ${percent(spread.high)}` : 'not known'}`,
    `changes every ${interval === null ? '?' : interval} cycles`,
  ].join('  ')
}

function onePair(args: string[]): Pair {
  const [key, ...rest] = args
  if (key === undefined || rest.length > 0) throw new AdminError('give one PAIR, such as usd/blue')

  const pair = findPairByKey(key)
  if (!pair) throw new AdminError(`no pair ${key} in the catalogue`)
  return pair
}

function sides({ buy, sell }: { buy: number; sell: number }): string {
  return `${priceToNumber(buy)}/${priceToNumber(sell)}`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}

function minutes(ms: number): string {
  return `${Math.round(ms / MINUTE_MS)} min`
}
