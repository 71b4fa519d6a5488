import type { Instant } from '../../argentine-time.ts'
import { BOARD_SCHEMA, type Board, type Mode } from '../../board/board.ts'
import { tradedDayOf } from '../../market/market-hours.ts'
import { parseSummary } from './cycle-record.ts'
import { boardQuote, currentQuotes, currentQuotesStatement } from './quotes.ts'

/** Builds a board from the tables in one round trip, for when KV has no trusted one. */
export async function boardFromDatabase(binding: D1Database, now: Instant): Promise<Board> {
  const [states, rows] = await binding.batch([
    binding.prepare(
      `select (select cycle from scraper_state) as cycle, (select mode from service_mode) as mode`,
    ),
    currentQuotesStatement(binding),
  ])
  const [state] = states!.results as [{ cycle: string | null; mode: Mode | null }]
  const last = parseSummary(state.cycle)
  const quotes = currentQuotes(rows!)

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
    decreed: last?.archive?.decreed,
    lacking: last?.archive?.lacking,
  }
}
