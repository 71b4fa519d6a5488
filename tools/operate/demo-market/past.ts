/** The demo market's past: what cycles would have recorded of it. */
import { median } from 'simple-statistics'
import {
  addDays,
  argentineDay,
  DAY_MS,
  dayEnd,
  type Instant,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing-tables.ts'
import { findPairByKey, type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import { type Price, PRICE_SCALE } from '../../../shared/market/price.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import { closeOf as closeOfPair } from '../import/formats.ts'
import { merge, type Merged, type Stored } from '../import/merge.ts'
import { bridged, dayRanges } from '../import/ranges.ts'
import { countChanges, readStored } from '../import/stored.ts'
import { LOCAL_CHUNK, writeMerged } from '../import/write.ts'
import { bankDaysFrom, cut } from './documents.ts'
import { closeOf, type Market, marketAt, type MarketOptions, type Sides } from './market.ts'
import { bothSides, type Values, valuesOf, wholesaleTable } from './values.ts'

/** How far back there are daily values, and how far values of each `STEP_MS`. */
export const PAST_DAYS = 2 * 365
export const RECENT_MS = 7 * DAY_MS
const STEP_MS = 5 * MINUTE_MS

export type PairRows = ReadonlyMap<Pair, QuotedPoint[]>

const TABLES_AT_ONCE = 200

const DAYS = { source: 'import:demo-days', kind: 'daily' } as const
const WEEK = { source: 'import:demo-week', kind: 'timed' } as const

/**
 * Gives a state the demo market's past, by the import's rules. Both parts of a pair are merged
 * before they are written: a batch of the local database costs more than its work. Returns how
 * many points were made.
 */
export async function importPast(
  db: D1Database,
  now: Instant,
  options: MarketOptions,
  signal?: AbortSignal,
): Promise<number> {
  const [days, week] = [pastDays(now, options), pastWeek(now, options)]
  let made = 0
  await importPastTables(db, now, options)

  for (const pair of PAIRS) {
    signal?.throwIfAborted()
    const stored = await readStored(db, pair)
    const merged = withPast(stored, pair, days, week)
    made += countChanges(stored, merged.points).made
    await writeMerged(db, pair, WEEK.kind, stored, merged, LOCAL_CHUNK)
    // The points are written already, so this adds only the coverage of the days.
    const written = { ...stored, points: merged.points }
    await writeMerged(db, pair, DAYS.kind, written, merged, LOCAL_CHUNK)
  }
  return made
}

/** The bank's wholesale table of each business day that is over. */
async function importPastTables(db: D1Database, now: Instant, options: MarketOptions) {
  const today = argentineDay(now)
  const days = bankDaysFrom(addDays(today, -PAST_DAYS), addDays(today, -1))
  const statements = days.map((day) => {
    const publishedAt = closeOf(day)
    const rates = wholesaleTable(marketAt(publishedAt, options)).rows.map(
      ({ buy, sell, ...row }) => ({
        ...row,
        buy: String(cut(buy, 4)),
        sell: String(cut(sell, 4)),
      }),
    )
    return invoicingStatements(db, { day, publishedAt, source: 'bna-divisas', rates }, publishedAt)
  })
  for (let from = 0; from < days.length; from += TABLES_AT_ONCE) {
    await db.batch(statements.slice(from, from + TABLES_AT_ONCE).flat())
  }
}

function withPast(stored: Stored, pair: Pair, days: PairRows, week: PairRows): Merged {
  const before = (rows: PairRows) =>
    rows.get(pair)!.filter(({ at }) => at < (stored.liveFrom ?? Infinity))
  const [ofDays, ofWeek] = [before(days), before(week)]
  const instants = ofWeek.map(({ at }) => at)

  const withWeek = merge(stored, {
    ...WEEK,
    pair,
    rows: ofWeek,
    coverage: bridged(instants[0] ?? 0, instants.at(-1) ?? 0, instants, RECENT_MS),
  })
  return merge(
    { ...withWeek, liveFrom: stored.liveFrom },
    {
      ...DAYS,
      pair,
      rows: ofDays,
      coverage: dayRanges(ofDays.map(({ at }) => argentineDay(at))),
    },
  )
}

/** Every pair at the end of each day of the last two years, days that are over. */
export function pastDays(now: Instant, options: MarketOptions): PairRows {
  const today = argentineDay(now)
  const days = Array.from({ length: PAST_DAYS }, (_, index) => addDays(today, index - PAST_DAYS))
  const markets = days.map((day) => marketAt(dayEnd(day), options))
  return rowsOf(markets, (pair, { today: day }) => closeOfPair(pair, day))
}

/** Every pair in each five minutes of the last week, up to `now`. */
export function pastWeek(now: Instant, options: MarketOptions): PairRows {
  const last = Math.floor(now / STEP_MS) * STEP_MS
  const instants = Array.from(
    { length: RECENT_MS / STEP_MS },
    (_, index) => last - RECENT_MS + (index + 1) * STEP_MS,
  )
  return rowsOf(
    instants.map((at) => marketAt(at, options)),
    (_, market) => market.now,
  )
}

function rowsOf(markets: readonly Market[], atOf: (pair: Pair, market: Market) => Instant) {
  const rows = new Map<Pair, QuotedPoint[]>(PAIRS.map((pair) => [pair, []]))
  for (const market of markets) {
    const quotes = quotesOf(market)
    for (const [pair, of] of rows) of.push({ at: atOf(pair, market), ...quotes.get(pair)! })
  }
  return rows
}

/**
 * What a cycle makes of the market at that moment: the quote of each pair's first source, without
 * writing and reading its document. A test holds the two together.
 */
export function quotesOf(market: Market): ReadonlyMap<Pair, { buy: Price; sell: Price }> {
  const quotes = Object.entries(sidesOf(valuesOf(market))).map(([key, { buy, sell }]) => {
    const pair = findPairByKey(key)!
    const price = (value: number) => Math.round(cut(value, pair.decimals) * PRICE_SCALE)
    return [pair, { buy: price(buy), sell: price(sell) }] as const
  })
  return new Map(quotes)
}

function sidesOf(values: Values): Record<string, Sides> {
  const { bna, contracts, crosses } = values
  return {
    'USD/OFICIAL': values.oficial,
    'USD/BNA': bna,
    'USD/BLUE': values.blue,
    'USD/MAYORISTA': values.mayorista,
    ...bondRatios(values),
    'USD/CRIPTO': medianOffer(values),
    'USD/TARJETA': values.tarjeta,
    'USD/FUTURO': contracts[0]!,
    'EUR/OFICIAL': printed(values.euro),
    'EUR/BNA': values.bnaEuro,
    'EUR/BLUE': printed(values.euroBlue),
    'BRL/OFICIAL': printed(values.real),
    'BRL/BNA': values.bnaReal,
    'CLP/OFICIAL': crosses.CLP,
    'UYU/OFICIAL': crosses.UYU,
    'ARG/RIESGO': bothSides(values.riesgo),
    'ARG/CER': bothSides(values.cer.today),
    'ARG/UVA': bothSides(values.uva.today),
  }
}

/** MEP from the books, CCL from the last trades, each with the decimals that are printed. */
function bondRatios({ bonds }: Values): Record<string, Sides> {
  const { bid, ask, last } = printedBook(bonds.AL30!, 2)
  const [dollars, cable] = [printedBook(bonds.AL30D!, 4), printedBook(bonds.AL30C!, 4)]
  return {
    'USD/BOLSA': { buy: bid / dollars.ask, sell: ask / dollars.bid },
    'USD/CCL': bothSides(last / cable.last),
  }
}

function printedBook({ bid, ask, last }: Record<'bid' | 'ask' | 'last', number>, decimals: number) {
  return { bid: cut(bid, decimals), ask: cut(ask, decimals), last: cut(last, decimals) }
}

function medianOffer({ offers }: Values): Sides {
  const all = Object.values(offers)
  return {
    buy: median(all.map(({ totalBid }) => cut(totalBid))),
    sell: median(all.map(({ totalAsk }) => cut(totalAsk))),
  }
}

/** With two decimals, as Ámbito prints: fewer than the pair keeps. */
function printed({ buy, sell }: Sides): Sides {
  return { buy: cut(buy), sell: cut(sell) }
}
