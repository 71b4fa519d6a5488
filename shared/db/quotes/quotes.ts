/** Current quotes, the fallback of the board, and the record of a cycle. */
import { type Day, formatArgentine, type Instant } from '../../argentine-time.ts'
import type { DayAvailability } from '../../board/availability.ts'
import { BOARD_SCHEMA, type Board, type BoardQuote, type Mode } from '../../board/board.ts'
import { type Pair, PAIRS } from '../../market/catalog.ts'
import { type Price, priceToNumber } from '../../market/price.ts'
import type { HolidayDifferences } from '../../market/holidays.ts'
import { tradedDayOf } from '../../market/market-hours.ts'
import { namedBatch, type Statement } from '../named-batch.ts'
import type { currentQuotes as table } from '../schema.ts'

/** The current value of a pair. */
export interface CurrentQuote {
  pair: Pair
  buy: Price
  sell: Price
  source: string
  /** When a cycle first saw the current value. */
  updatedAt: Instant
  /** The last cycle in which a source confirmed the value. */
  lastScrapedAt: Instant
  /** The last sell before the day of `updatedAt` began in Argentina. */
  referenceSell: Price | null
}

/** A row of the view. `lastScrapedAt` comes from a row that holds the instants of all pairs. */
type CurrentQuoteRow = typeof table.$inferSelect & { lastScrapedAt: Instant }

/**
 * A statement for a batch; `currentQuotes` reads its result. One row holds the instants of all
 * confirmations, because a cycle confirms most pairs and changes few.
 */
export function currentQuotesStatement(db: D1Database): Statement<CurrentQuoteRow> {
  return db.prepare(
    `select pair, buy, sell, source, updated_at as updatedAt, last_scraped_at as lastScrapedAt,
       reference_sell as referenceSell from confirmed_quotes`,
  )
}

/**
 * Reads the revision of history, a number that grows in every batch that changes earlier points.
 * Charts and nightly files use it. A cycle does not change it, because it only adds new points.
 */
export function historyRevisionStatement(db: D1Database): Statement<{ revision: number }> {
  return db.prepare('select revision from history_revision')
}

/** The quotes in catalogue order, without pairs that left the catalogue. */
export function currentQuotes({ results }: D1Result<CurrentQuoteRow>): CurrentQuote[] {
  const byPair = new Map(results.map((row) => [row.pair, row]))
  return PAIRS.flatMap((pair) => {
    const row = byPair.get(pair.id)
    return row ? [{ ...row, pair }] : []
  })
}

export function boardQuote(quote: CurrentQuote, held: boolean): BoardQuote {
  const { currency, name, origin, valueType } = quote.pair
  return {
    currency,
    name,
    origin,
    buy: priceToNumber(quote.buy),
    sell: priceToNumber(quote.sell),
    updatedAt: formatArgentine(quote.updatedAt),
    lastScrapedAt: formatArgentine(quote.lastScrapedAt),
    valueType,
    referenceSell: quote.referenceSell === null ? null : priceToNumber(quote.referenceSell),
    source: quote.source,
    held,
  }
}

/** Builds a board from the tables in one round trip, for when KV has no trusted board. */
export async function boardFromDatabase(db: D1Database, now: Instant): Promise<Board> {
  const found = await namedBatch(db, {
    states: stateStatement(db),
    quotes: currentQuotesStatement(db),
  })
  const state = found.states.results[0]!
  const quotes = currentQuotes(found.quotes)
  const last = parseSummary(state.cycle)

  return {
    schema: BOARD_SCHEMA,
    generatedAt: last?.at ?? now,
    everySeconds: last?.everySeconds ?? 300,
    mode: state.mode ?? 'live',
    quotes: quotes.map((quote) => boardQuote(quote, false)),
    sources: [],
    anySourceAnswered: false,
    tableDay: last?.wholesale?.day,
    tradedDay: tradedDayOf(quotes),
    decreed: last?.holidays?.decreed,
    lacking: last?.holidays?.lacking,
  }
}

function stateStatement(db: D1Database): Statement<{ cycle: string | null; mode: Mode | null }> {
  return db.prepare(
    'select (select cycle from scraper_state) as cycle, (select mode from service_mode) as mode',
  )
}

/** What a cycle writes. */
export interface CycleRecord {
  token: string
  scheduledAt: Instant
  /** The instant of the cycle's points and confirmations. */
  at: Instant
  /** The new rows of every pair that was confirmed or changed. */
  quotes: CurrentQuote[]
  /** The pairs of `quotes` whose value changed, with the previous value. */
  changes: { quote: CurrentQuote; previous: CurrentQuote | null }[]
  /** Pairs that get their first current quote from an imported point. */
  begun: readonly CurrentQuote[]
  quarantine: QuarantineWrite[]
  guard: string
  sources: string
  summary: CycleSummary
  /** The time since the last cycle, by day and state. */
  availability: DayAvailability[]
}

export type QuarantineWrite =
  | { kind: 'hold'; pair: number; buy: Price; sell: Price; source: string; reason: string }
  | { kind: 'seen'; id: number; buy: Price; sell: Price; reason: string }
  | { kind: 'resolve'; id: number; status: 'accepted' | 'rejected' | 'released' | 'dropped' }

/** The data of the last cycle that readers need when there is no board. */
export interface CycleSummary {
  at: Instant
  everySeconds: number
  anySourceAnswered: boolean
  /** The revision of history when the cycle began. If it grew since, values may be corrected. */
  historyRevision?: number | undefined
  /** The last recorded wholesale table: its day, and its rates as text for comparison. */
  wholesale?: { day: Day; rates: string; publishedAt: Instant | null } | undefined
  /** The holidays of the public list that the built-in calendar does not have. */
  holidays?: HolidayDifferences | undefined
}

/** Null when the text is malformed, so that a damaged summary stops no cycle and no reader. */
export function parseSummary(text: string | null | undefined): CycleSummary | null {
  try {
    return JSON.parse(text ?? 'null') as CycleSummary | null
  } catch {
    return null
  }
}
