import type { Instant } from '../argentine-time.ts'
import { BOARD_SCHEMA, type Board } from '../board.ts'
import type { CycleSummary } from './cycles.ts'
import { openDatabase } from './database.ts'
import { boardQuote, inCatalogueOrder } from './quotes.ts'
import { currentQuotes, scraperState } from './schema.ts'

/** A board made from the tables, in one round trip, for when KV has none that can be trusted. */
export async function boardFromDatabase(binding: D1Database, now: Instant): Promise<Board> {
  const db = openDatabase(binding)
  const [rows, states] = await db.batch([
    db.select().from(currentQuotes),
    db.select({ cycle: scraperState.cycle }).from(scraperState),
  ])
  const last = states[0] ? (JSON.parse(states[0].cycle) as CycleSummary) : null

  return {
    schema: BOARD_SCHEMA,
    generatedAt: now,
    everySeconds: last?.everySeconds ?? 300,
    mode: last?.mode ?? 'live',
    quotes: inCatalogueOrder(rows).map((quote) => boardQuote(quote, false)),
    sources: [],
    anySourceAnswered: false,
  }
}
