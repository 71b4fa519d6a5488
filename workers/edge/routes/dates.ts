import type { Context } from 'hono'
import {
  listQuotesAsOf,
  listQuotesOfCurrencyAsOf,
  readQuoteAsOf,
} from '../../../shared/api/dates.ts'
import type { QueryOf } from '../../../shared/api/operation.ts'
import { type Pair, findPair, PAIRS, pairsOf } from '../../../shared/market/catalog.ts'
import type { EdgeContext } from '../context.ts'
import { CSV_TYPE, toCsv } from '../../../shared/csv.ts'
import { JSON_TYPE } from '../http/answer.ts'
import { type DateQuery, maxAgeOfDay, readQuotes, respondDated } from '../http/dated.ts'
import { type App, type AppDeps, type Input, route } from '../http/route.ts'
import { argentineDay, daysBetween, formatArgentine } from '../../../shared/argentine-time.ts'
import { type QuotedPoint, priceToNumber } from '../../../shared/market/price.ts'

/** Date reads, the values in effect at a past instant: of all pairs, a currency or one pair. */
export function dateRoutes(app: App, deps: AppDeps): void {
  const limited = [deps.dateRateLimit]

  route(app, listQuotesAsOf, limited, (c, input) => respond(c, deps, input, PAIRS))
  route(app, listQuotesOfCurrencyAsOf, limited, (c, input) =>
    respond(c, deps, input, pairsOf(input.params.currency)!),
  )
  route(app, readQuoteAsOf, limited, (c, input) => {
    const { currency, origin } = input.params
    return respond(c, deps, input, [findPair(currency, origin)!], ([quote]) => quote)
  })
}

type DateInput = Pick<Input, 'dated' | 'csv'> & { query: QueryOf<typeof listQuotesAsOf> }
type DatedQuote = ReturnType<typeof datedQuote>

async function respond(
  c: Context<EdgeContext>,
  deps: AppDeps,
  { dated, query: { max_age: maxAge }, csv }: DateInput,
  pairs: readonly Pair[],
  shape: (quotes: DatedQuote[]) => unknown = (quotes) => quotes,
): Promise<Response> {
  const now = deps.now()
  const asOf = await readQuotes(c, pairs, dated!)
  const quotes = pairs.map((pair, index) => datedQuote(pair, asOf[index]!, dated!, maxAge))

  const answer = {
    body: csv ? toCsv(quotes) : JSON.stringify(shape(quotes)),
    contentType: csv ? CSV_TYPE : JSON_TYPE,
    maxAgeSeconds: maxAgeOfDay(dated!.day, now),
    vary: 'Accept',
  }
  return respondDated(c, deps, answer, now)
}

/**
 * A pair's quote as of the requested instant. If the pair had no value yet, the fields are null. A
 * value older than `max_age` keeps its instant and its ages but loses its prices.
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
