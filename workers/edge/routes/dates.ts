import type { Context } from 'hono'
import { Hono } from '../hono.ts'
import { findPair, type Pair, PAIRS, pairsOf } from '../../../shared/market/catalog.ts'
import { DATED_FIELDS, datedQuote } from '../../../shared/market/dated-quote.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { quoteNotFound, badRequest } from '../errors.ts'
import { maxAgeOfDay } from '../http/cacheable.ts'
import { CSV_TYPE, toCsv } from '../http/csv.ts'
import { respondDated } from '../date-responses.ts'
import { readQuotes } from '../db/read-quotes.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import { type DateQuery, parseDateQuery } from '../../../shared/market/date-query.ts'
import { readQuery } from '../../../shared/query.ts'
import { wantsCsv } from '../http/wants-csv.ts'
import { JSON_TYPE } from '../http/json.ts'

/** The values in effect at any past instant: of all pairs, of a currency, of one pair. */
export function dateRoutes(deps: AppDeps) {
  const { dateRateLimit: limited } = deps

  return new Hono<EdgeContext>()
    .get('/api/v2/date/:date', limited, (c) => respond(c, deps, PAIRS, (quotes) => quotes))
    .get('/api/v2/date/:date/:currency', limited, (c) => {
      const pairs = pairsOf(c.req.param('currency'))
      if (!pairs) throw quoteNotFound()
      return respond(c, deps, pairs, (quotes) => quotes)
    })
    .get('/api/v2/date/:date/:currency/:origin', limited, (c) => {
      const pair = findPair(c.req.param('currency'), c.req.param('origin'))
      if (!pair) throw quoteNotFound()
      return respond(c, deps, [pair], ([quote]) => quote)
    })
}

type DatedQuote = ReturnType<typeof datedQuote>

async function respond(
  c: Context<EdgeContext, '/api/v2/date/:date'>,
  deps: AppDeps,
  pairs: readonly Pair[],
  shape: (quotes: DatedQuote[]) => unknown,
): Promise<Response> {
  const now = deps.now()
  const query = readDateQuery(c.req.param('date'), c.req.raw, now)
  const asOf = await readQuotes(c, pairs, query)
  const quotes = pairs.map((pair, index) => datedQuote(pair, asOf[index]!, query))

  const answer = {
    body: query.csv ? toCsv(DATED_FIELDS, quotes) : JSON.stringify(shape(quotes)),
    contentType: query.csv ? CSV_TYPE : JSON_TYPE,
    maxAgeSeconds: maxAgeOfDay(query.day, now),
    vary: 'Accept',
  }
  return respondDated(c, deps, answer, now)
}

interface DateRequest extends DateQuery {
  csv: boolean
}

const PARAMETERS = ['time', 'max_age', 'format']

/** The query of a date read, or a 400 that names the error (decision 10: dates and times). */
function readDateQuery(date: string, request: Request, now: Instant): DateRequest {
  const parameters = readQuery(request, PARAMETERS)
  const query = parseDateQuery(
    { date, time: parameters.get('time'), maxAge: parameters.get('max_age') },
    now,
  )
  if (!query.ok) throw badRequest(query.refusal)

  return { ...query.value, csv: wantsCsv(parameters, request) }
}
