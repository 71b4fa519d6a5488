import {
  type CurrentQuote,
  currentQuotes,
  currentQuotesStatement,
} from '../../../shared/db/quotes/quotes.ts'

/** The value in effect of every pair, as it is stored. */
export async function readCurrentQuotes(db: D1Database): Promise<CurrentQuote[]> {
  return currentQuotes(await currentQuotesStatement(db).all())
}
