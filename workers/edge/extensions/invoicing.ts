import type { Context } from 'hono'
import { Hono } from '../hono.ts'
import { argentineDay, type Day } from '../../../shared/argentine-time.ts'
import { readInvoicing } from '../../../shared/db/quotes/invoicing.ts'
import {
  findInvoicingCurrency,
  INVOICING_CURRENCIES,
  INVOICING_FIELDS,
  type InvoicingCurrency,
  type InvoicingRate,
  invoicingRate,
  isCloseKnown,
  parseIssueDate,
} from '../../../shared/market/invoicing.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { badRequest, HttpError } from '../errors.ts'
import { CLOSED_DAY_MAX_AGE, TODAY_MAX_AGE } from '../http/cacheable.ts'
import { CSV_TYPE, toCsv } from '../http/csv.ts'
import { readQuery } from '../../../shared/query.ts'
import { wantsCsv } from '../http/wants-csv.ts'
import { JSON_TYPE } from '../http/json.ts'
import { orUnavailable } from '../or-unavailable.ts'
import {
  CLOSE_UNKNOWN,
  CURRENCY_NOT_INVOICED,
  INVOICING_UNAVAILABLE,
} from '../../../shared/sentences.ts'
import { respondDated } from '../date-responses.ts'

const PARAMETERS = ['date', 'format']

/** The rates that invoices of a date must use: of all currencies of the bank's table, or of one. */
export function invoicingRoutes(deps: AppDeps) {
  const { dateRateLimit: limited } = deps

  return new Hono<EdgeContext>()
    .get('/api/v2/invoicing', limited, (c) =>
      respond(c, deps, INVOICING_CURRENCIES, (rates) => rates),
    )
    .get('/api/v2/invoicing/:currency', limited, (c) => {
      const currency = findInvoicingCurrency(c.req.param('currency'))
      if (!currency) throw new HttpError(404, CURRENCY_NOT_INVOICED)
      return respond(c, deps, [currency], ([rate]) => rate)
    })
}

async function respond(
  c: Context<EdgeContext>,
  deps: AppDeps,
  currencies: readonly InvoicingCurrency[],
  shape: (rates: InvoicingRate[]) => unknown,
): Promise<Response> {
  const now = deps.now()
  const query = readQuery(c.req.raw, PARAMETERS)
  const csv = wantsCsv(query, c.req.raw)
  const date = parseIssueDate(query.get('date'), now)
  if (!date.ok) throw badRequest(date.refusal)

  const rates = await ratesOf(c, currencies, date.value, now)
  const answer = {
    body: csv ? toCsv(INVOICING_FIELDS, rates) : JSON.stringify(shape(rates)),
    contentType: csv ? CSV_TYPE : JSON_TYPE,
    maxAgeSeconds: isSettled(rates, date.value, now) ? CLOSED_DAY_MAX_AGE : TODAY_MAX_AGE,
    vary: 'Accept',
  }
  return respondDated(c, deps, answer, now)
}

async function ratesOf(
  c: Context<EdgeContext>,
  currencies: readonly InvoicingCurrency[],
  date: Day,
  now: number,
): Promise<InvoicingRate[]> {
  const codes = currencies.map(({ code }) => code)
  const known = await orUnavailable(
    readInvoicing(c.env.DB, codes, date, now),
    INVOICING_UNAVAILABLE,
  )
  if (date > argentineDay(now) && !isCloseKnown(now, known)) {
    throw badRequest(CLOSE_UNKNOWN)
  }
  return currencies.map((currency, index) =>
    invoicingRate(currency, date, known.rates[index] ?? null, known),
  )
}

/** Whether the day is over and no rate can still arrive. */
function isSettled(rates: readonly InvoicingRate[], date: Day, now: number): boolean {
  const complete = rates.every(({ rateDate, stale }) => rateDate !== null && !stale)
  return complete && date < argentineDay(now)
}
