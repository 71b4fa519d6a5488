import { type Day, dayEnd, dayStart, type Instant, isDay } from '../../../shared/argentine-time.ts'
import { findPair, findPairByKey, type Origin, type Pair } from '../../../shared/market/catalog.ts'
import { type Price, PRICE_SCALE, type QuotedPoint } from '../../../shared/market/price.ts'
import type { FileRecord } from './records.ts'
import { Big } from 'big.js'

/** Closes of whole days, or observations at instants. */
export type Kind = 'daily' | 'timed'

/**
 * How the rows of a file become quotes. A row has its day as `fecha`, or its instant as `at` or
 * `observed_at`, and its prices as `buy` and `sell`, `compra` and `venta`, or `valor`.
 */
export interface Format {
  /** The `points.source` of the imported points. */
  source: string
  kind: Kind
  /** The pair of a row, or why the row is left out. */
  pairOf: (row: FileRecord) => Pair | string
  /** The factor for a row's prices, by default 1. */
  factorOf?: (pair: Pair, at: Instant) => number
}

/** Origins by the `casa` of argentinadatos and dolarapi. */
const CASAS: Readonly<Record<string, Origin>> = {
  oficial: 'OFICIAL',
  blue: 'BLUE',
  bolsa: 'BOLSA',
  contadoconliqui: 'CCL',
  mayorista: 'MAYORISTA',
  cripto: 'CRIPTO',
  tarjeta: 'TARJETA',
}

/** Before this instant, dolarapi and argentinadatos quote the Chilean peso per 100, later per 1. */
const PER_ONE_FROM = Date.parse('2024-09-06T21:35:25Z')

/** For dollar rows in a file of several currencies, because a separate file has the dollars. */
export const TO_DOLLARS = 'USD is left to the dollar file'

/** The files of argentinadatos and dolarapi. Files with only dollars may have no `moneda`. */
function formatOfCasas(source: string, kind: Kind, rows: readonly FileRecord[]): Format {
  const isOfDollars = rows.every(({ moneda = 'USD' }) => moneda === 'USD')
  return {
    source,
    kind,
    pairOf({ moneda = 'USD', casa = 'oficial' }) {
      if (moneda === 'USD' && !isOfDollars) return TO_DOLLARS
      const origin = CASAS[String(casa)]
      if (!origin) return `casa '${String(casa)}' has no origin here`
      return findPair(String(moneda), origin) ?? `no pair ${String(moneda)}/${origin} here`
    },
    factorOf: ({ currency }, at) => (currency === 'CLP' && at < PER_ONE_FROM ? 0.01 : 1),
  }
}

const HOURLY = 'import:dolarapi-hourly'

const generic: Format = {
  source: 'import:csv',
  kind: 'timed',
  pairOf: ({ currency, origin }) =>
    findPair(String(currency), String(origin)) ??
    `no pair ${String(currency)}/${String(origin)} here`,
}

/** Daily closes of one pair. The rows do not name the pair. */
export function closesOf(pair: Pair, source: string): Format {
  return { source, kind: 'daily', pairOf: () => pair }
}

/** Indices by the file name, because the rows of these files do not name the index. */
const INDICES = [
  { name: /riesgo/i, key: 'ARG/RIESGO', source: 'import:argentinadatos-riesgo' },
  { name: /uva/i, key: 'ARG/UVA', source: 'import:argentinadatos-uva' },
  { name: /cer/i, key: 'ARG/CER', source: 'import:cer' },
]

/** Import sources with observations at instants. All other imports have closes of days. */
const TIMED_SOURCES = new Set([HOURLY, generic.source, 'import:demo'])

/** Whether a stored point is the imported close of a day. */
export function isDailySource(source: string): boolean {
  return isImportSource(source) && !TIMED_SOURCES.has(source)
}

/** Whether an import made a stored point. A later import may remove it. */
export function isImportSource(source: string): boolean {
  return source.startsWith('import:')
}

/**
 * Recognises a file by its name and its first row, or as closes of `pair`. Returns a reason if the
 * format is known but the file cannot be used, and null if the format is unknown.
 */
export function recognise(
  file: string,
  rows: readonly FileRecord[],
  pair?: Pair,
): Format | string | null {
  const name = file.split(/[/\\]/).at(-1)!
  const has = (...fields: string[]) => fields.every((field) => field in rows[0]!)

  if (has('currency', 'origin', 'at', 'buy', 'sell')) return generic
  if (has('observed_at', 'moneda', 'casa', 'compra', 'venta')) {
    if (/ambito/i.test(name)) return 'another variant of the dollar series, for replays'
    return formatOfCasas(HOURLY, 'timed', rows)
  }
  if (pair && (has('fecha', 'compra', 'venta') || has('fecha', 'valor')))
    return closesOf(pair, 'import:csv-daily')
  if (has('moneda', 'compra', 'venta', 'fecha'))
    return formatOfCasas('import:argentinadatos-cotizaciones', 'daily', rows)
  if (has('casa', 'compra', 'venta', 'fecha'))
    return formatOfCasas('import:argentinadatos-dolares', 'daily', rows)
  if (has('valor', 'fecha')) {
    const index = INDICES.find((candidate) => candidate.name.test(name))
    if (!index) return 'its name says neither riesgo, uva nor cer'
    return closesOf(findPairByKey(index.key)!, index.source)
  }
  return null
}

/** The instant of a day's close: its end. For CER and UVA its start, as they hold for all day. */
export function closeOf(pair: Pair, day: Day): Instant {
  return pair.origin === 'CER' || pair.origin === 'UVA' ? dayStart(day) : dayEnd(day)
}

/** The quote of a row, or why the row is left out. */
export function readRow(
  { kind, pairOf, factorOf = () => 1 }: Format,
  row: FileRecord,
  now: Instant,
): (QuotedPoint & { pair: Pair }) | string {
  const pair = pairOf(row)
  if (typeof pair === 'string') return pair

  const isDaily = kind === 'daily'
  const at = isDaily
    ? parseClose(pair, String(row.fecha))
    : parseInstant(String(row.at ?? row.observed_at))
  if (at === null) return isDaily ? 'not a date' : 'not an instant with a zone'
  if (at > now) return 'in the future'

  const { valor, compra = valor, venta = valor, buy = compra, sell = venta } = row
  if (pair.singleValue && String(buy) !== String(sell))
    return 'buy and sell differ where the pair has one value'

  const factor = factorOf(pair, at)
  const [bought, sold] = [readPrice(buy, pair, factor), readPrice(sell, pair, factor)]
  if (typeof bought === 'string') return bought
  if (typeof sold === 'string') return sold
  return { pair, at, buy: bought, sell: sold }
}

/** The instant of the close of `2026-03-02` or `02/03/2026`. Null for any other text. */
function parseClose(pair: Pair, text: string): Instant | null {
  const day = text.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$2-$1')
  return isDay(day) ? closeOf(pair, day) : null
}

/** The instant of an ISO text with a time zone. Null for any other text. */
export function parseInstant(text: string): Instant | null {
  const form = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.exec(
    text,
  )
  if (!form || !isDay(form[1]!)) return null

  const at = Date.parse(text)
  return Number.isNaN(at) ? null : at
}

/** A larger number is a typing error or has another unit, because no price is near this. */
const MOST = 1_000_000_000

/**
 * The price of a decimal in a file, times `factor` and rounded to the pair's decimals, without
 * floats; or why it is not a price.
 */
export function readPrice(
  value: unknown,
  pair: Pair,
  factor = 1,
): Price | 'no value' | 'zero' | 'nonsense price' {
  if (value === null || value === undefined || value === '') return 'no value'

  const text = String(value).trim()
  if (!/^\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(text)) return 'nonsense price'

  const decimal = new Big(text)
  if (decimal.gt(MOST)) return 'nonsense price'

  const price = decimal.times(factor).round(pair.decimals, Big.roundHalfUp).times(PRICE_SCALE)
  return price.eq(0) ? 'zero' : price.toNumber()
}
