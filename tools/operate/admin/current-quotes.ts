import { LAST_SCRAPED } from '../../../shared/db/quotes/last-scraped.ts'
import {
  type CurrentQuote,
  type CurrentQuoteRow,
  inCatalogueOrder,
} from '../../../shared/db/quotes/quotes.ts'

/** The value in effect of every pair, as it is stored. */
export async function readCurrentQuotes(db: D1Database): Promise<CurrentQuote[]> {
  const { results } = await db
    .prepare(
      `select pair, buy, sell, source, updated_at as updatedAt, ${LAST_SCRAPED} as lastScrapedAt,
         reference_sell as referenceSell from current_quotes q`,
    )
    .all<CurrentQuoteRow>()
  return inCatalogueOrder(results)
}
