/** The board's content in the tables. */
import type { Mode } from '../../../shared/board/board.ts'
import { pairById, pairKey, type PairKey } from '../../../shared/market/catalog.ts'
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
    historyRevision: historyRevisionOf(revision)?.revision,
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
