/**
 * The rate that an invoice in foreign currency must use: Banco Nación's wholesale ("divisa")
 * selling rate at the close of the last business day before the date of issue (RG 5616/2024).
 */
import {
  addDays,
  argentineDay,
  type Day,
  formatArgentine,
  HOUR_MS,
  type Instant,
  isDay,
  startOfDay,
} from '../argentine-time.ts'
import { ok, refuse, type Result } from '../result.ts'
import { bankDayBefore, type DecreedDay, isBankDay } from './holidays.ts'
import { DATE_FORM } from '../sentences.ts'

/** The currencies of the bank's table, in its sequence, with their ISO 4217 codes. */
export const INVOICING_CURRENCIES = [
  { code: 'USD', name: 'Dólar estadounidense' },
  { code: 'GBP', name: 'Libra esterlina' },
  { code: 'EUR', name: 'Euro' },
  { code: 'CHF', name: 'Franco suizo' },
  { code: 'JPY', name: 'Yen japonés' },
  { code: 'CAD', name: 'Dólar canadiense' },
  { code: 'DKK', name: 'Corona danesa' },
  { code: 'NOK', name: 'Corona noruega' },
  { code: 'SEK', name: 'Corona sueca' },
  { code: 'CNY', name: 'Yuan chino' },
  { code: 'AUD', name: 'Dólar australiano' },
] as const

export type InvoicingCurrency = (typeof INVOICING_CURRENCIES)[number]

export const INVOICING_RULE =
  'RG 5616/2024: vendedor divisa del Banco Nación, al cierre del día hábil cambiario anterior a la emisión'

/** A stored rate. Prices are decimal texts for all `units` together, as the bank prints them. */
export interface StoredRate {
  day: Day
  units: number
  buy: string
  sell: string
  source: string
  publishedAt: Instant | null
}

/** The rates known before an issue date. */
export interface KnownRates {
  /** One per `INVOICING_CURRENCIES`; null for a currency without a rate before the date. */
  rates: (StoredRate | null)[]
  /** The last day before the date with a table, of any currency. */
  lastTable: Day | null
  /** Whether the bank has published a table today. */
  todays: boolean
  /** Closed days that the public list of holidays adds. */
  decreed: readonly DecreedDay[]
}

/** From this time of the day, the bank's last table counts as its close. */
const CLOSE_MS = 19 * HOUR_MS

export function findInvoicingCurrency(code: string): InvoicingCurrency | undefined {
  const upper = code.replace(/[a-z]/g, (letter) => letter.toUpperCase())
  return INVOICING_CURRENCIES.find((currency) => currency.code === upper)
}

/** The issue date of a text, by default today. Refuses days after tomorrow, which have no rate. */
export function parseIssueDate(text: string | null, now: Instant): Result<Day, string> {
  const today = argentineDay(now)
  if (text === null) return ok(today)
  if (!isDay(text)) return refuse(DATE_FORM)
  if (text > addDays(today, 1)) return refuse('La fecha no puede ser posterior a mañana')
  return ok(text)
}

/**
 * Whether the rate for invoices of a date is known. Tomorrow's rate is today's close, known from
 * 19:00. If banks are closed today, it is an earlier close: known at once on a holiday of the
 * built-in calendar, from 19:00 on a holiday that only the public list has.
 */
export function isCloseKnown(
  date: Day,
  now: Instant,
  { todays, decreed }: Pick<KnownRates, 'todays' | 'decreed'>,
): boolean {
  const today = argentineDay(now)
  if (date <= today) return true
  const isAfterClose = now - startOfDay(now) >= CLOSE_MS
  return todays ? isAfterClose : !isBankDay(today, isAfterClose ? decreed : [])
}

/** The printed rate of a currency for invoices of a date. */
export function invoicingRate(
  { code, name }: InvoicingCurrency,
  date: Day,
  rate: StoredRate | null,
  known: Pick<KnownRates, 'lastTable' | 'decreed'>,
) {
  return {
    currency: code,
    name,
    date,
    rateDate: rate && rate.day,
    units: rate && rate.units,
    buy: rate && Number(rate.buy),
    sell: rate && Number(rate.sell),
    publishedAt: rate && rate.publishedAt !== null ? formatArgentine(rate.publishedAt) : null,
    source: rate && rate.source,
    rule: INVOICING_RULE,
    stale: rate && rate.day < lastCloseBefore(date, known),
  }
}

export type InvoicingRate = ReturnType<typeof invoicingRate>

/** The last business day before a date: of the calendar, or the day of a later table. */
function lastCloseBefore(
  date: Day,
  { lastTable, decreed }: Pick<KnownRates, 'lastTable' | 'decreed'>,
): Day {
  const expected = bankDayBefore(date, decreed)
  return lastTable !== null && lastTable > expected ? lastTable : expected
}
