/** Answers about a day. */
import type { Context } from 'hono'
import { type Day, dayEnd, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { DateQuery } from '../../../shared/market/date-query.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'
import { QUOTES_UNAVAILABLE } from '../../../shared/sentences.ts'
import type { EdgeContext } from '../context.ts'
import { orUnavailable } from '../errors.ts'
import { answerOf, type Printed } from './answer.ts'
import type { AppDeps } from './route.ts'

/** Seconds that caches may keep a closed day, and today or now. */
export const CLOSED_DAY_MAX_AGE = 86_400
export const TODAY_MAX_AGE = 60

/**
 * For this long after midnight, a cycle that began before it may still write into the ended day.
 */
const SETTLED_MS = 3 * MINUTE_MS

/**
 * How long the isolate repeats an answer about a closed day: a correction shows within a minute.
 */
const REPEATED_MS = MINUTE_MS

/** Seconds that caches may keep the values of a day: a minute while a cycle may still change it. */
export function maxAgeOfDay(day: Day, now: Instant): number {
  return now > dayEnd(day) + SETTLED_MS ? CLOSED_DAY_MAX_AGE : TODAY_MAX_AGE
}

/** The values that a date query asks for, in the order of the pairs; a 503 when the database fails. */
export async function readQuotes(
  { env }: Context<EdgeContext>,
  pairs: readonly Pair[],
  { effectiveAt }: Pick<DateQuery, 'effectiveAt'>,
): Promise<(QuotedPoint | null)[]> {
  const { quotes } = await orUnavailable(quotesAsOf(env.DB, pairs, effectiveAt), QUOTES_UNAVAILABLE)
  return quotes
}

/**
 * Responds about a day, and keeps the answer if the day is over. `readAt` is before the data was
 * read.
 */
export async function respondDated(
  c: Context<EdgeContext>,
  { answers, board }: AppDeps,
  printed: Printed,
  readAt: Instant,
): Promise<Response> {
  const isClosed = printed.maxAgeSeconds === CLOSED_DAY_MAX_AGE
  const stands = isClosed ? { from: readAt, until: readAt + REPEATED_MS } : null
  return answers.respond(c, answerOf(printed, await board.mode(c)), stands)
}
