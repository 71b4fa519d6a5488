import type { Instant } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { namedBatch, type ResultsOf, type Statement } from '../../../shared/db/named-batch.ts'
import { type CycleSummary, parseSummary } from '../../../shared/db/quotes/cycle-record.ts'
import {
  type CurrentQuote,
  currentQuotes,
  currentQuotesStatement,
  historyRevisionStatement,
} from '../../../shared/db/quotes/quotes.ts'
import { pairById, pairKey, type PairKey, PAIRS } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'

/** The board's content in the tables. */
export interface Recorded {
  mode: Mode
  last: CycleSummary
  /** Health and next turn per source, as JSON. */
  sources: string | null
  quotes: CurrentQuote[]
  /** Pairs of which a value is held back. */
  held: ReadonlySet<PairKey>
  historyRevision: number | undefined
}

/** The statements that every cycle runs after its writes, in its batch. */
export function heldStatements(db: D1Database) {
  const held: Statement<{ pair: number }> = db.prepare(
    'select pair from quarantine where resolved_at is null',
  )
  return { held, revision: historyRevisionStatement(db) }
}

/** The results of `heldStatements`. */
export function heldOf({
  held,
  revision,
}: ResultsOf<typeof heldStatements>): Pick<Recorded, 'held' | 'historyRevision'> {
  const pairs = held.results.map(({ pair }) => pairById(pair))
  return {
    held: new Set(pairs.flatMap((pair) => (pair ? [pairKey(pair)] : []))),
    historyRevision: revision.results[0]?.revision,
  }
}

/** Null before the first cycle. */
export async function readRecorded(db: D1Database): Promise<Recorded | null> {
  const states: Statement<{ sources: string; cycle: string; mode: Mode }> = db.prepare(
    'select sources, cycle, mode from scraper_state, service_mode',
  )
  const found = await namedBatch(db, {
    states,
    quotes: currentQuotesStatement(db),
    ...heldStatements(db),
  })
  const [state] = found.states.results
  const last = parseSummary(state?.cycle)
  if (!state || !last) return null

  const { mode, sources } = state
  return { mode, last, sources, quotes: currentQuotes(found.quotes), ...heldOf(found) }
}

/**
 * The last point of each pair that has imported points but was never quoted. The point counts as
 * confirmed until the import's coverage ends, because only changes are points. `begunQuotes` reads
 * the result.
 */
export function begunStatement(db: D1Database, now: Instant): Statement<BegunRow> {
  return db
    .prepare(
      `select p.pair, p.at as updatedAt, p.buy, p.sell, p.source,
         (select sell from points where pair = p.pair and at < p.at - (p.at - 10800000) % 86400000
           order by at desc limit 1) as referenceSell,
         (select max(min(to_at, ?2)) from import_coverage
           where pair = p.pair and from_at <= ?2) as coveredUntil
       from json_each(?1) as requested join points as p on p.pair = requested.value
         and p.at = (select max(at) from points where pair = requested.value)
       where not exists (select 1 from current_quotes where pair = requested.value)`,
    )
    .bind(JSON.stringify(PAIRS.map(({ id }) => id)), now)
}

/** In catalogue order. */
export function begunQuotes({ results }: D1Result<BegunRow>): CurrentQuote[] {
  return results.map(({ pair, coveredUntil, ...row }) => ({
    ...row,
    pair: pairById(pair)!,
    lastScrapedAt: Math.max(row.updatedAt, coveredUntil ?? row.updatedAt),
  }))
}

interface BegunRow {
  pair: number
  updatedAt: Instant
  buy: Price
  sell: Price
  source: string
  referenceSell: Price | null
  coveredUntil: Instant | null
}
