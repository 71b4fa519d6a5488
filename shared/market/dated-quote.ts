import { argentineDay, daysBetween, formatArgentine } from '../argentine-time.ts'
import type { Pair } from './catalog.ts'
import { priceToNumber } from './price.ts'
import type { QuotedPoint } from './quoted-point.ts'
import type { DateQuery } from './date-query.ts'

/**
 * A pair's quote as of the requested instant. A pair that had no value yet has nulls; a value older
 * than `max_age` keeps its instant and ages but loses its prices.
 */
export function datedQuote(
  pair: Pair,
  point: QuotedPoint | null,
  query: DateQuery,
  maxAgeSeconds: number | undefined,
) {
  const age = point && ageOf(point, query)
  const tooOld = age !== null && maxAgeSeconds !== undefined && age.seconds > maxAgeSeconds
  const shown = tooOld ? null : point

  return {
    requestedAt: formatArgentine(query.requestedAt),
    currency: pair.currency,
    name: pair.name,
    origin: pair.origin,
    buy: shown && priceToNumber(shown.buy),
    sell: shown && priceToNumber(shown.sell),
    valueType: pair.valueType,
    quotedAt: point && formatArgentine(point.at),
    sameDay: age !== null && age.days === 0,
    daysStale: age && age.days,
    ageSeconds: age && age.seconds,
  }
}

/** The age of the point at that instant, in whole Argentine days and in whole seconds. */
function ageOf(point: QuotedPoint, { day, effectiveAt }: DateQuery) {
  return {
    days: daysBetween(argentineDay(point.at), day),
    seconds: Math.floor((effectiveAt - point.at) / 1000),
  }
}
