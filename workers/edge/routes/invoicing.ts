import type { Context } from 'hono'
import { listInvoicingRates, readInvoicingRate } from '../../../shared/api/invoicing.ts'
import type { QueryOf } from '../../../shared/api/operation.ts'
import { argentineDay, type Day } from '../../../shared/argentine-time.ts'
import { readInvoicing } from '../../../shared/db/quotes/invoicing.ts'
import {
  findInvoicingCurrency,
  INVOICING_CURRENCIES,
  type InvoicingCurrency,
  type InvoicingRate,
  invoicingRate,
  isCloseKnown,
  parseIssueDate,
} from '../../../shared/market/invoicing.ts'
import type { EdgeContext } from '../context.ts'
import { badRequest, orUnavailable } from '../errors.ts'
import { CSV_TYPE, toCsv } from '../../../shared/csv.ts'
import { JSON_TYPE } from '../http/answer.ts'
import { CLOSED_DAY_MAX_AGE, respondDated, TODAY_MAX_AGE } from '../http/dated.ts'
import { type App, type AppDeps, route } from '../http/route.ts'
import { CLOSE_UNKNOWN, INVOICING_UNAVAILABLE } from '../../../shared/sentences.ts'

/** The rates that invoices of a date must use: of all currencies of the bank's table, or of one. */
export function invoicingRoutes(app: App, deps: AppDeps): void {
  const limited = [deps.dateRateLimit]

  route(app, listInvoicingRates, limited, (c, input) =>
    respond(c, deps, input, INVOICING_CURRENCIES, (rates) => rates),
  )
  route(app, readInvoicingRate, limited, (c, input) => {
    const currency = findInvoicingCurrency(input.params.currency)!
    return respond(c, deps, input, [currency], ([rate]) => rate)
  })
}

async function respond(
  c: Context<EdgeContext>,
  deps: AppDeps,
  { query, csv }: { query: QueryOf<typeof listInvoicingRates>; csv: boolean },
  currencies: readonly InvoicingCurrency[],
  shape: (rates: InvoicingRate[]) => unknown,
): Promise<Response> {
  const now = deps.now()
  const date = parseIssueDate(query.date ?? null, now)
  if (!date.ok) throw badRequest(date.refusal)

  const rates = await ratesOf(c, currencies, date.value, now)
  const [body, contentType] =
    query.format === 'value'
      ? [String(rates[0]!.sell ?? ''), 'text/plain; charset=utf-8']
      : csv
        ? [toCsv(rates), CSV_TYPE]
        : [JSON.stringify(shape(rates)), JSON_TYPE]
  const answer = {
    body,
    contentType,
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
  if (!isCloseKnown(date, now, known)) throw badRequest(CLOSE_UNKNOWN)
  return currencies.map((currency, index) =>
    invoicingRate(currency, date, known.rates[index] ?? null, known),
  )
}

/** Whether the day is over and no rate can still arrive. */
function isSettled(rates: readonly InvoicingRate[], date: Day, now: number): boolean {
  const complete = rates.every(({ rateDate, stale }) => rateDate !== null && !stale)
  return complete && date < argentineDay(now)
}
