/** Helpers of sources: documents at an address, JSON of one shape, series, lists, dates. */
import type * as z from 'zod/mini'
import {
  type Instant,
  addDays,
  argentineDay,
  type Day,
  daysBetween,
  isDay,
} from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import type { Hours } from '../../../shared/market/market-hours.ts'
import { requirePrice } from './number-text.ts'
import { emptyError, formatError, type Reading, type Source } from './source.ts'

/** A document at a fixed address, or at an address that depends on the day. */
export function get(
  name: string,
  everyMinutes: number,
  hours: Hours,
  url: string | ((now: Instant) => string),
  headers: Record<string, string> = JSON_HEADERS,
): Omit<Source, 'parse'> {
  const request = (now: Instant) => ({ url: typeof url === 'string' ? url : url(now), headers })
  return { name, rhythm: { everyMinutes, hours }, request }
}

/**
 * Parses a JSON document of one shape. HTML instead of JSON, `Invalid pair` and another shape fail
 * as `format`. The message names the first wrong field, never its value.
 */
export function json<Schema extends z.ZodMiniType>(
  schema: Schema,
  readings: (document: z.infer<Schema>, now: Instant, replayed?: boolean) => Reading[],
): Source['parse'] {
  return (body, now, replayed) => {
    const { data, error } = schema.safeParse(parseJson(body))
    if (data !== undefined) return readings(data, now, replayed)

    const path = error?.issues[0]?.path.join('.') ?? ''
    throw formatError(`has another shape at "${path.slice(0, 60)}"`)
  }
}

/** The numbers of a series, one per day. */
export function inputsOf(
  name: string,
  rows: readonly { fecha: string; valor: number }[],
): Reading[] {
  const days = rows.map(({ fecha }) => isoDay(fecha))
  if (new Set(days).size < days.length) throw formatError('has a day twice')
  return rows.map(({ valor }, at) => ({
    kind: 'input',
    name,
    value: requirePrice(valor),
    day: days[at]!,
  }))
}

/** The readings of a document that must have one. `otherwise` ends the message of the error. */
export function atLeastOne(readings: Reading[], otherwise: string): Reading[] {
  if (readings.length === 0) throw emptyError(otherwise)
  return readings
}

/** The quotes of a list, each pair once, and a `missing` for each usual pair that it lacks. */
export function listOf(
  usual: readonly PairKey[],
  quotes: readonly Extract<Reading, { kind: 'quote' }>[],
): Reading[] {
  const quoted = new Set(quotes.map(({ pair }) => pair))
  if (quoted.size < quotes.length) throw formatError('quotes a pair twice')
  const missing = usual.filter((pair) => !quoted.has(pair))
  return [
    ...atLeastOne([...quotes], 'quotes none of our pairs'),
    ...missing.map((row): Reading => ({ kind: 'missing', row })),
  ]
}

/** A browser's headers, always the same: some upstreams refuse other clients. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

export const PAGE_HEADERS = {
  'User-Agent': USER_AGENT,
  Accept: 'text/html',
  'Accept-Language': 'es-AR,es;q=0.9',
}

export const JSON_HEADERS = { Accept: 'application/json' }

/**
 * The most values of a document, counted by `,`, `[` and `{`: several times as many as the longest
 * known document has. Each invalid value costs time.
 */
const MAX_VALUES = 50_000

function parseJson(body: string): unknown {
  const marks = body.match(/[,[{]/g)?.length ?? 0
  if (marks > MAX_VALUES) throw formatError('has more values than one that we know')
  try {
    return JSON.parse(body)
  } catch {
    throw formatError('is not JSON')
  }
}

/** The valid items of a list. */
export function fitting<Schema extends z.ZodMiniType>(
  items: readonly unknown[],
  schema: Schema,
): z.infer<Schema>[] {
  return items.flatMap((item) => {
    const result = schema.safeParse(item)
    return result.success ? [result.data] : []
  })
}

/** Today and the ten days before today: more than the longest run of holidays. */
export function lastDays(now: Instant): { from: Day; to: Day } {
  const to = argentineDay(now)
  return { from: addDays(to, -10), to }
}

/** Refuses a document dated after today, in Argentina. */
export function refuseFuture(day: Day, now: Instant): void {
  if (day > argentineDay(now)) throw formatError('is dated in the future')
}

/** For sources that have stalled: a value over a week old counts as missing. */
export function refuseOlderThanAWeek(day: Day, now: Instant, replayed = false): void {
  if (!replayed && daysBetween(day, argentineDay(now)) > 7) throw emptyError('is over a week old')
}

/**
 * The day of a printed date: `5/8/2026`, `21/08/2026 - 18:55`, `24-04-2026`; null for another text.
 * A day in the future is refused.
 */
export function checkDay(text: string, now: Instant): Day | null {
  const [, day, month, year] = /^\s*(\d{1,2})[/-](\d{1,2})[/-](\d{4})\b/.exec(text) ?? []
  if (!day || !month || !year) return null

  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!isDay(written)) return null
  refuseFuture(written, now)
  return written
}

/** The day of an ISO text. Its first ten characters must be a day that exists. */
export function isoDay(text: string): Day {
  const day = text.slice(0, 10)
  if (!isDay(day)) throw formatError('has no date where one is due')

  return day
}
