/** Reads about a day: the query, the values, and the answer. */
import type { Context } from 'hono'
import { TIME } from '../../../shared/api/fields.ts'
import {
  argentineDay,
  type Day,
  dayEnd,
  dayStart,
  type Instant,
  isDay,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'
import { DATE_AHEAD, DATE_FORM, QUOTES_UNAVAILABLE, TIME_FORM } from '../../../shared/sentences.ts'
import type { AnswerMemory } from '../answer-memory.ts'
import type { BoardMemory } from '../board-memory.ts'
import type { EdgeContext } from '../context.ts'
import { badRequest, orUnavailable } from '../errors.ts'
import { answerOf, type AnswerParts } from './answer.ts'

export interface DateQuery {
  day: Day
  /** The value of `requestedAt` in the answer. */
  requestedAt: Instant
  /** The last instant whose values count. Ages count from it (decision 54: no time means now). */
  effectiveAt: Instant
}

/**
 * Parses the day and optional time of a request; without a time, it is the end of the day. Throws a
 * 400 with the first error (decision 10: dates and times).
 */
export function dateQuery(day: string, time: string | undefined, now: Instant): DateQuery {
  if (!isDay(day)) throw badRequest(DATE_FORM)
  if (day > argentineDay(now)) throw badRequest(DATE_AHEAD)
  if (time !== undefined && !TIME.test(time)) throw badRequest(TIME_FORM)

  const requestedAt = time === undefined ? dayEnd(day) : dayStart(day) + sinceMidnight(time)
  if (time !== undefined && requestedAt > now) throw badRequest('La hora pedida todavía no llegó')
  return { day, requestedAt, effectiveAt: Math.min(requestedAt, now) }
}

/** Milliseconds from midnight to `HH:MM` or `HH:MM:SS`. */
function sinceMidnight(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/** Seconds that caches may keep an answer about a closed day, and about today or now. */
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

/** Seconds that caches may keep values of a day: a minute while a cycle may still change them. */
export function maxAgeOfDay(day: Day, now: Instant): number {
  return now > dayEnd(day) + SETTLED_MS ? CLOSED_DAY_MAX_AGE : TODAY_MAX_AGE
}

/** The values at the instant of a query, in the pairs' order. Throws a 503 without the database. */
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
  { answers, board }: { answers: AnswerMemory; board: BoardMemory },
  printed: AnswerParts,
  readAt: Instant,
): Promise<Response> {
  const isClosed = printed.maxAgeSeconds === CLOSED_DAY_MAX_AGE
  const validity = isClosed ? { from: readAt, until: readAt + REPEATED_MS } : null
  return answers.respond(c, answerOf(printed, await board.mode(c)), validity)
}
