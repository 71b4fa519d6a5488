import { LAST_SCRAPED } from '../../shared/db/quotes/last-scraped.ts'
import { type CurrentQuote, inCatalogueOrder } from '../../shared/db/quotes/quotes.ts'
import type { currentQuotes } from '../../shared/db/schema.ts'

/** The value in effect of every pair, as it is stored. */
export async function readCurrentQuotes(db: D1Database): Promise<CurrentQuote[]> {
  const { results } = await db
    .prepare(
      `select pair, buy, sell, source, updated_at as updatedAt, ${LAST_SCRAPED} as lastScrapedAt,
         reference_sell as referenceSell from current_quotes q`,
    )
    .all<typeof currentQuotes.$inferSelect>()
  return inCatalogueOrder(results)
}
