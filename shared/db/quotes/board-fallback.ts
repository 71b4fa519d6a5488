import type { Instant } from '../../argentine-time.ts'
import { BOARD_SCHEMA, type Board, type Mode } from '../../board/board.ts'
import { tradedDayOf } from '../../market/market-hours.ts'
import { namedBatch, type Statement } from '../named-batch.ts'
import { parseSummary } from './cycle-record.ts'
import { boardQuote, currentQuotes, currentQuotesStatement } from './quotes.ts'

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
