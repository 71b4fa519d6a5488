import type { Instant } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { EVERY_PAIR } from '../../../shared/db/every-pair.ts'
import { type CycleSummary, parseSummary } from '../../../shared/db/quotes/cycle-record.ts'
import {
  historyRevisionOf,
  historyRevisionStatement,
} from '../../../shared/db/quotes/history-revision.ts'
import { UNRESOLVED } from '../../../shared/db/quotes/quarantine.ts'
import {
  type CurrentQuote,
  currentQuotes,
  currentQuotesStatement,
} from '../../../shared/db/quotes/quotes.ts'
import { startOfDaySql } from '../../../shared/db/start-of-day-sql.ts'
import { pairById, pairKey, type PairKey } from '../../../shared/market/catalog.ts'
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

/** The part that every cycle reads after its writes. */
export function heldStatements(db: D1Database): [D1PreparedStatement, D1PreparedStatement] {
  return [
    db.prepare(`select pair from quarantine where ${UNRESOLVED}`),
    historyRevisionStatement(db),
  ]
}

/** The results of these statements. */
export function heldOf(results: readonly D1Result[]): Pick<Recorded, 'held' | 'historyRevision'> {
  const [held, revision] = results
  const pairs = (held!.results as { pair: number }[]).map(({ pair }) => pairById(pair))
  return {
    held: new Set(pairs.flatMap((pair) => (pair ? [pairKey(pair)] : []))),
    historyRevision: historyRevisionOf(revision),
  }
}

/** Null before the first cycle. */
export async function readRecorded(db: D1Database): Promise<Recorded | null> {
  const [states, quotes, ...held] = await db.batch([
    db.prepare('select sources, cycle, mode from scraper_state, service_mode'),
    currentQuotesStatement(db),
    ...heldStatements(db),
  ])
  const state = states!.results[0] as { sources: string; cycle: string; mode: Mode } | undefined
  const last = parseSummary(state?.cycle)
  if (!state || !last) return null

  const { mode, sources } = state
  return { mode, last, sources, quotes: currentQuotes(quotes!), ...heldOf(held) }
}

/**
 * The last point of each pair that has imported points but was never quoted. It counts as confirmed
 * until the import's coverage ends, because only changes are points. For a batch; `begunQuotes`
 * reads its result.
 */
export function begunStatement(db: D1Database, now: Instant): D1PreparedStatement {
  return db
    .prepare(
      `select p.pair, p.at as updatedAt, p.buy, p.sell, p.source,
         (select sell from points where pair = p.pair and at < ${startOfDaySql('p.at')}
           order by at desc limit 1) as referenceSell,
         (select max(min(to_at, ?2)) from import_coverage
           where pair = p.pair and from_at <= ?2) as coveredUntil
       from json_each(?1) as requested join points as p on p.pair = requested.value
         and p.at = (select max(at) from points where pair = requested.value)
       where not exists (select 1 from current_quotes where pair = requested.value)`,
    )
    .bind(EVERY_PAIR, now)
}

/** In catalogue order. */
export function begunQuotes({ results }: D1Result): CurrentQuote[] {
  return (results as Row[]).map(({ pair, coveredUntil, ...row }) => ({
    ...row,
    pair: pairById(pair)!,
    lastScrapedAt: Math.max(row.updatedAt, coveredUntil ?? row.updatedAt),
  }))
}

interface Row {
  pair: number
  updatedAt: Instant
  buy: Price
  sell: Price
  source: string
  referenceSell: Price | null
  coveredUntil: Instant | null
}
