import type { Context } from 'hono'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { DateQuery } from '../../../shared/market/date-query.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import { QUOTES_UNAVAILABLE } from '../../../shared/sentences.ts'
import type { EdgeContext } from '../context.ts'
import { orUnavailable } from '../errors.ts'

/** The values that a date query asks for, in the order of the pairs; a 503 when the database fails. */
export async function readQuotes(
  { env }: Context<EdgeContext>,
  pairs: readonly Pair[],
  { effectiveAt }: Pick<DateQuery, 'effectiveAt'>,
): Promise<(QuotedPoint | null)[]> {
  const { quotes } = await orUnavailable(quotesAsOf(env.DB, pairs, effectiveAt), QUOTES_UNAVAILABLE)
  return quotes
}
