/** The current reads of both generations: JSON, CSV, or a bare number for a cell. */
import { type Side, SIDE_FIELDS, LOCALES } from '../../../shared/api/current.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import {
  type Board,
  type BoardQuote,
  quoteOf,
  printQuote,
  printQuoteWithChange,
} from '../../../shared/board/board.ts'
import { type CsvValue, CSV_TYPE, toCsv } from '../../../shared/csv.ts'
import { CURRENCIES, PAIRS } from '../../../shared/market/catalog.ts'
import { type Result, ok, refuse } from '../../../shared/result.ts'
import { FORMAT_NAMES } from '../../../shared/sentences.ts'
import { badRequest, quoteNotFound } from '../errors.ts'
import { prefersCsv } from '../http/accept.ts'
import { type AnswerParts, answerOf, JSON_TYPE } from '../http/answer.ts'
import { TODAY_MAX_AGE } from '../http/dated.ts'
import { CACHE_BUSTERS } from '../http/query.ts'
import type { App, AppDeps } from '../http/route.ts'

/** A current read of the catalogue, of the legacy API (generation 1) or of v2. */
type CurrentRead = { readonly generation: 1 | 2 } & (
  | { readonly kind: 'list'; readonly currency: string | null }
  | { readonly kind: 'pair'; readonly currency: string; readonly origin: string }
)

/** Every current read by its path, in lower case. */
export const CURRENT_READS: ReadonlyMap<string, CurrentRead> = new Map<string, CurrentRead>([
  ['/api/v2/quotes', { generation: 2, kind: 'list', currency: null }],
  ...([1, 2] as const).flatMap((generation): [string, CurrentRead][] => [
    ...CURRENCIES.map((currency): [string, CurrentRead] => [
      pathOf(generation, currency),
      { generation, kind: 'list', currency },
    ]),
    ...PAIRS.map(({ currency, origin }): [string, CurrentRead] => [
      pathOf(generation, currency, origin),
      { generation, kind: 'pair', currency, origin },
    ]),
  ]),
])

function pathOf(generation: 1 | 2, ...segments: string[]): string {
  return [generation === 2 ? '/api/v2' : '/api', ...segments].join('/').toLowerCase()
}

/** The longest path worth folding to lower case. */
const MAX_LENGTH = 64

/** The path of a current read, given in any letter case, as its key; undefined for other paths. */
export function currentPathOf(path: string): string | undefined {
  if (path.length > MAX_LENGTH) return undefined
  // ASCII only: `toLowerCase` would turn the Kelvin sign into `k`.
  const folded = path.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return CURRENT_READS.has(folded) ? folded : undefined
}

/** A route for each pair and currency of the catalogue, and for no other. */
export function currentRoutes(app: App, { answers, board, now }: AppDeps): void {
  for (const [path, read] of CURRENT_READS)
    app.get(path, async (c) => {
      const form = readForm(c.req.raw, read)
      if (!form.ok) throw badRequest(form.refusal)
      c.set('parameters', PARAMETERS)
      const from = now()
      const copy = await board.mustRead(c)
      const answer = printCurrent(copy.board, read, form.value, from)
      if (!answer) throw quoteNotFound()
      return answers.respond(c, answerOf(answer, copy.board.mode), { from, until: copy.until })
    })
}

type Locale = (typeof LOCALES)[number]

type Form = { kind: 'csv' | 'json'; locale: Locale } | { kind: 'value'; side: Side; locale: Locale }

const PARAMETERS = ['format', 'field', 'locale']

/** The columns of a list; `CHANGE_COLUMNS` are the additional columns of a pair. */
const COLUMNS = {
  1: 'moneda nombre origen compra venta actualizado'.split(' '),
  2: 'currency name origin buy sell updatedAt lastScrapedAt valueType'.split(' '),
} as const
const CHANGE_COLUMNS = ['changeAmount', 'changePercent', 'referenceValue']

/**
 * The requested form, or a sentence about the first error. A query that names no form is ignored
 * (decision 8: how reads are cached), and `Accept` decides. A query that names a form may have no
 * other parameter except cache-busters.
 */
function readForm(request: Request, read: CurrentRead): Result<Form, string> {
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

  const sides: Record<string, Side> = SIDE_FIELDS[generation]
  const side = field === null ? 'sell' : Object.hasOwn(sides, field) ? sides[field] : undefined
  if (side === undefined) {
    return refuse(`El parámetro field debe ser ${Object.keys(sides).join(' o ')}`)
  }
  return ok({ kind: 'value', side, locale })
}

/** The printed form of a read; null when the pair was never quoted. */
export function printCurrent(
  board: Board,
  read: CurrentRead,
  form: Form,
  now: Instant,
): AnswerParts | null {
  const isPair = read.kind === 'pair'
  const quotes = quotesOf(board, read)
  if (isPair && quotes.length === 0) return null
  if (form.kind === 'value')
    return printed(printNumber(quotes[0]![form.side], form.locale), 'text/plain; charset=utf-8')

  const values = quotes.map((quote) => {
    if (read.generation === 1) return printLegacy(quote)
    return isPair ? printQuoteWithChange(quote, now) : printQuote(quote)
  })
  if (form.kind === 'json')
    return printed(JSON.stringify(isPair ? values[0] : values), JSON_TYPE, 'Accept')

  const rows = values.map((value) => rowOf(value, form.locale))
  const columns = [
    ...COLUMNS[read.generation],
    ...(isPair && read.generation === 2 ? CHANGE_COLUMNS : []),
  ]
  return printed(toCsv(rows, columns), CSV_TYPE, 'Accept')
}

function quotesOf(board: Board, read: CurrentRead): readonly BoardQuote[] {
  if (read.kind === 'list')
    return board.quotes.filter(({ currency }) => (read.currency ?? currency) === currency)
  const quote = quoteOf(board, read.currency, read.origin)
  return quote ? [quote] : []
}

/** The legacy API has the fields of v2 under other names. */
function printLegacy(quote: BoardQuote) {
  return {
    moneda: quote.currency,
    nombre: quote.name,
    origen: quote.origin,
    compra: quote.buy,
    venta: quote.sell,
    actualizado: quote.updatedAt,
  }
}

/** The CSV fields of a quote. The fields of its change are columns, empty without a change. */
function rowOf(
  value: object & { change?: ReturnType<typeof printQuoteWithChange>['change'] },
  locale: Locale,
): Record<string, CsvValue> {
  const { change, ...fields } = value
  const row = {
    ...fields,
    changeAmount: change?.amount ?? null,
    changePercent: change?.percent ?? null,
    referenceValue: change?.referenceValue ?? null,
  }
  return Object.fromEntries(
    Object.entries<CsvValue>(row).map(([name, field]) => [
      name,
      typeof field === 'number' ? printNumber(field, locale) : field,
    ]),
  )
}

/** A number with all its decimals and no thousands separator. */
function printNumber(value: number, locale: Locale): string {
  return locale === 'es-AR' ? String(value).replace('.', ',') : String(value)
}

function printed(body: string, contentType: string, vary?: string): AnswerParts {
  return { body, contentType, maxAgeSeconds: TODAY_MAX_AGE, ...(vary && { vary }) }
}
