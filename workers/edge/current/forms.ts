/** The other forms of a current read: CSV, or a bare number for a cell. */
import type { Instant } from '../../../shared/argentine-time.ts'
import { type Board, type BoardQuote, quoteOf } from '../../../shared/board/board.ts'
import { printQuote, printQuoteWithChange } from '../../../shared/board/current-quote.ts'
import { FIELDS, LOCALES, type Side } from '../../../shared/current-forms.ts'
import { ok, refuse, type Result } from '../../../shared/result.ts'
import { prefersCsv } from '../http/accept.ts'
import { CSV_TYPE, type CsvValue, toCsv } from '../../../shared/csv.ts'
import type { Printed } from '../http/cacheable.ts'
import type { CachedResponse } from '../http/cached-response.ts'
import {
  type BoardResponses,
  jsonResponse,
  printLegacy,
  quotesOf,
  responseOf,
} from './board-responses.ts'
import type { CurrentRead } from './current-read.ts'
import { CACHE_BUSTERS } from '../http/query.ts'
import { FORMAT_NAMES } from '../../../shared/sentences.ts'

type Locale = (typeof LOCALES)[number]

export type Form =
  | { kind: 'csv' | 'json'; locale: Locale }
  | { kind: 'value'; side: Side; locale: Locale }

const PARAMETERS = ['format', 'field', 'locale']

/** The columns of a list, and those that a pair has besides. */
const COLUMNS = {
  1: 'moneda nombre origen compra venta actualizado'.split(' '),
  2: 'currency name origin buy sell updatedAt lastScrapedAt valueType'.split(' '),
} as const
const CHANGE_COLUMNS = ['changeAmount', 'changePercent', 'referenceValue']

/** Whether a request may want another form than JSON. Most requests need only this check. */
export function asksForForm(request: Request, url: string): boolean {
  if (url.includes('?')) return true
  const accept = request.headers.get('Accept')
  return accept !== null && /csv/i.test(accept)
}

/** Whether a URL asks for a bare number, which goes into a cell as it comes. */
export function asksForValue(url: string): boolean {
  return url.includes('?') && new URL(url).searchParams.get('format') === 'value'
}

/**
 * The requested form, or a sentence about the first error. A query that names no form is ignored
 * (decision 8: how reads are cached), and `Accept` decides. A query with a form must have no other
 * parameter but cache-busters.
 */
export function readForm(request: Request, read: CurrentRead): Result<Form, string> {
  const query = new URL(request.url).searchParams
  const byAccept = prefersCsv(request.headers.get('Accept')) ? 'csv' : 'json'
  if (!PARAMETERS.some((name) => query.has(name))) return ok({ kind: byAccept, locale: 'en-US' })

  for (const name of query.keys()) {
    if (CACHE_BUSTERS.includes(name)) continue
    if (!PARAMETERS.includes(name)) {
      return refuse('Junto a format los únicos parámetros son field y locale')
    }
    if (query.getAll(name).length > 1) return refuse(`El parámetro ${name} está repetido`)
  }
  const given = query.get('locale') ?? 'en-US'
  const locale = LOCALES.find((locale) => locale.toLowerCase() === given.toLowerCase())
  if (!locale) return refuse('El parámetro locale debe ser es-AR o en-US')

  const format = query.get('format') ?? byAccept
  if (format === 'value') return valueForm(query.get('field'), read, locale)
  if (format !== 'csv' && format !== 'json') {
    return refuse(FORMAT_NAMES)
  }
  if (query.has('field')) return refuse('El parámetro field va con format=value')
  if (format === 'json' && query.has('locale')) {
    return refuse('El parámetro locale va con format=csv o format=value')
  }
  return ok({ kind: format, locale })
}

function valueForm(
  field: string | null,
  { kind, generation }: CurrentRead,
  locale: Locale,
): Result<Form, string> {
  if (kind !== 'pair') return refuse('El valor solo es de un par: la lista va con format=csv')

  const sides: Record<string, Side> = FIELDS[generation]
  const side = field === null ? 'sell' : Object.hasOwn(sides, field) ? sides[field] : undefined
  if (side === undefined) {
    return refuse(`El parámetro field debe ser ${Object.keys(sides).join(' o ')}`)
  }
  return ok({ kind: 'value', side, locale })
}

/** The response in its form; null when the pair was never quoted. */
export function formedResponse(
  responses: BoardResponses,
  read: CurrentRead,
  form: Form,
  now: Instant,
): CachedResponse | null {
  if (form.kind === 'json') return jsonResponse(responses, read, now)

  const key = `${read.path} ${Object.values(form).join(' ')}`
  return responseOf(responses, key, (board) =>
    form.kind === 'value' ? printValue(board, read, form) : printCsv(board, read, form, now),
  )
}

function printValue(
  board: Board,
  read: CurrentRead,
  { side, locale }: Form & { kind: 'value' },
): Printed | null {
  const quote = read.kind === 'pair' && quoteOf(board, read.currency, read.origin)
  if (!quote) return null
  return { body: printNumber(quote[side], locale), contentType: 'text/plain; charset=utf-8' }
}

function printCsv(board: Board, read: CurrentRead, form: Form, now: Instant): Printed | null {
  const { generation, kind } = read
  const quote = kind === 'pair' && quoteOf(board, read.currency, read.origin)
  if (kind === 'pair' && !quote) return null

  const rows = quote
    ? [rowOf(quote, generation, now)]
    : quotesOf(board, read.currency).map((quote) => rowOf(quote, generation))
  const columns = [
    ...COLUMNS[generation],
    ...(kind === 'pair' && generation === 2 ? CHANGE_COLUMNS : []),
  ]
  const inForm = rows.map((row) => inLocale(row, form))
  const body = toCsv(inForm, columns)
  return { body, contentType: CSV_TYPE, vary: 'Accept' }
}

/** The fields of the JSON form. A pair's change is flattened, and empty when there is none. */
function rowOf(quote: BoardQuote, generation: 1 | 2, now?: Instant): Record<string, CsvValue> {
  if (generation === 1) return printLegacy(quote)
  if (now === undefined) return printQuote(quote)

  const { change, ...fields } = printQuoteWithChange(quote, now)
  return {
    ...fields,
    changeAmount: change?.amount ?? null,
    changePercent: change?.percent ?? null,
    referenceValue: change?.referenceValue ?? null,
  }
}

function inLocale(row: Record<string, CsvValue>, { locale }: { locale: Locale }) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? printNumber(value, locale) : value,
    ]),
  )
}

/** A number with all its decimals and no thousands separator. */
function printNumber(value: number, locale: Locale): string {
  return locale === 'es-AR' ? String(value).replace('.', ',') : String(value)
}
