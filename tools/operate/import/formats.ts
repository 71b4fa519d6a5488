import { type Day, dayEnd, dayStart, type Instant, isDay } from '../../../shared/argentine-time.ts'
import { findPair, type Origin, type Pair } from '../../../shared/market/catalog.ts'
import { type Price, PRICE_SCALE } from '../../../shared/market/price.ts'
import type { FileRecord } from './records.ts'
import { Big } from 'big.js'

/** From here on dolarapi and argentinadatos quote the Chilean peso per 1; before, per 100. */
const PER_ONE_FROM = Date.parse('2024-09-06T21:35:25Z')

const clpUnit: UnitAt = (pair, at) => (pair.currency === 'CLP' && at < PER_ONE_FROM ? 100 : 1)

/** Closes of whole days, or observations at instants. */
export type Kind = 'daily' | 'timed'

/** The quote of a row, or why the row is left out. */
type Observed = { pair: Pair; at: Instant; buy: Price; sell: Price }
type Skipped = { skipped: string; pair?: Pair }

export interface Format<Row = FileRecord> {
  /** What its points have in `points.source`. */
  source: string
  kind: Kind
  read(row: Row): Observed | Skipped
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

/** Files of dollars, which have no `moneda`, and files of other currencies. */
const argentinadatos = (source: string): Format => ({
  source,
  kind: 'daily',
  read({ moneda = 'USD', casa = 'oficial', ...row }) {
    const pair = pairOfCasa(moneda, casa)
    return 'skipped' in pair ? pair : readDaily(pair, row.fecha, row.compra, row.venta, clpUnit)
  },
})
const dollars = argentinadatos('import:argentinadatos-dolares')
const others = argentinadatos('import:argentinadatos-cotizaciones')
export const TO_DOLLARS = 'USD is left to the dollar file'
const currencies: Format = {
  ...others,
  // The dollar file has this pair from a source of its own (decision 56: files that overlap).
  read: (row) => (row.moneda === 'USD' ? { skipped: TO_DOLLARS } : others.read(row)),
}

export const hourly: Format = {
  source: 'import:dolarapi-hourly',
  kind: 'timed',
  read: ({ moneda, casa, ...row }) => {
    const pair = pairOfCasa(moneda, casa)
    return 'skipped' in pair
      ? pair
      : readTimed(pair, row.observed_at, row.compra, row.venta, clpUnit)
  },
}

const generic: Format = {
  source: 'import:csv',
  kind: 'timed',
  read: (row) => {
    const pair = findPair(String(row.currency), String(row.origin))
    if (!pair) return { skipped: `no pair ${String(row.currency)}/${String(row.origin)} here` }
    if (pair.singleValue && String(row.buy) !== String(row.sell)) {
      return { skipped: 'buy and sell differ where the pair has one value', pair }
    }
    return readTimed(pair, row.at, row.buy, row.sell)
  },
}

/** Daily closes of one pair, which the file does not name. */
const ofPair = (pair: Pair): Format => ({
  source: 'import:csv-daily',
  kind: 'daily',
  read: ({ fecha, compra, venta, valor }) => {
    const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(String(fecha)) ?? []
    const date = year === undefined ? fecha : `${year}-${month}-${day}`
    return readDaily(pair, date, compra ?? valor, venta ?? valor)
  },
})

const index = (origin: Origin, source: string): Format => ({
  source,
  kind: 'daily',
  read: (row) => readDaily(findPair('ARG', origin)!, row.fecha, row.valor, row.valor),
})

/** The rows of single-value files do not say which index they hold; the file names do. */
const indices = [
  { name: /riesgo/i, format: index('RIESGO', 'import:argentinadatos-riesgo') },
  { name: /uva/i, format: index('UVA', 'import:argentinadatos-uva') },
  { name: /cer/i, format: index('CER', 'import:cer') },
]

/** Imports of observations at instants; all others are closes of days. */
const TIMED_SOURCES = new Set([hourly.source, generic.source, 'import:demo-week'])

/** Whether a stored point is the imported close of a day. */
export function isDailySource(source: string): boolean {
  return isImportSource(source) && !TIMED_SOURCES.has(source)
}

/** Whether a stored point came with an import, so that a later import may make it unnecessary. */
export function isImportSource(source: string): boolean {
  return source.startsWith('import:')
}

/**
 * Recognises a file by its name and its first row, or as closes of `pair`. Returns a text if the file
 * is known but has no quotes for us, and null if its format is unknown.
 */
export function recognise(file: string, first: FileRecord, pair?: Pair): Format | string | null {
  const name = file.split(/[/\\]/).at(-1)!
  const has = (...fields: string[]) => fields.every((field) => field in first)

  if (has('currency', 'origin', 'at', 'buy', 'sell')) return generic
  if (has('observed_at', 'moneda', 'casa', 'compra', 'venta')) {
    return /ambito/i.test(name) ? 'another variant of the dollar series, for replays' : hourly
  }
  if (pair && (has('fecha', 'compra', 'venta') || has('fecha', 'valor'))) return ofPair(pair)
  if (has('moneda', 'compra', 'venta', 'fecha')) return currencies
  if (has('casa', 'compra', 'venta', 'fecha')) return dollars
  if (has('valor', 'fecha')) {
    const found = indices.find((candidate) => candidate.name.test(name))
    return found?.format ?? 'its name says neither riesgo, uva nor cer'
  }
  return null
}

/** The instant of a day's close: CER and UVA are published for a whole day and stand at its start. */
export function closeOf(pair: Pair, day: Day): Instant {
  return pair.origin === 'CER' || pair.origin === 'UVA' ? dayStart(day) : dayEnd(day)
}

function pairOfCasa(currency: unknown, casa: unknown): Pair | Skipped {
  const origin = CASAS[String(casa)]
  if (!origin) return { skipped: `casa '${String(casa)}' has no origin here` }

  const pair = findPair(String(currency), origin)
  return pair ?? { skipped: `no pair ${String(currency)}/${origin} here` }
}

/** How many units of its currency the price of a pair is for. */
type UnitAt = (pair: Pair, at: Instant) => number
const ofOne: UnitAt = () => 1

export function readDaily(
  pair: Pair,
  day: unknown,
  buy: unknown,
  sell: unknown,
  unitAt = ofOne,
): Observed | Skipped {
  if (typeof day !== 'string' || !isDay(day)) return { skipped: 'not a date', pair }
  return priced(pair, closeOf(pair, day), buy, sell, unitAt)
}

function readTimed(
  pair: Pair,
  text: unknown,
  buy: unknown,
  sell: unknown,
  unitAt = ofOne,
): Observed | Skipped {
  const at = parseInstant(String(text))
  if (at === null) return { skipped: 'not an instant with a zone', pair }
  return priced(pair, at, buy, sell, unitAt)
}

/** Milliseconds of an instant in ISO form whose zone is written; null for anything else. */
export function parseInstant(text: string): Instant | null {
  const form = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.exec(
    text,
  )
  if (!form || !isDay(form[1]!)) return null

  const at = Date.parse(text)
  return Number.isNaN(at) ? null : at
}

function priced(
  pair: Pair,
  at: Instant,
  buyText: unknown,
  sellText: unknown,
  unitAt: UnitAt,
): Observed | Skipped {
  const unit = unitAt(pair, at)
  const [buy, sell] = [readPrice(buyText, pair, unit), readPrice(sellText, pair, unit)]
  if ('wrong' in buy) return { skipped: buy.wrong, pair }
  if ('wrong' in sell) return { skipped: sell.wrong, pair }
  return { pair, at, buy: buy.price, sell: sell.price }
}

/** Far above every price of the catalogue: a larger number is a typing error or has another unit. */
const MOST = 1_000_000_000

/** A price of a file, or what is wrong with it. */
type ReadPrice = { price: Price } | { wrong: 'no value' | 'zero' | 'nonsense price' }

/** The exact price of a decimal in a file, divided by `unit` and rounded to the pair's decimals. */
export function readPrice(value: unknown, pair: Pair, unit: number): ReadPrice {
  if (value === null || value === undefined || value === '') return { wrong: 'no value' }

  const text = String(value).trim()
  if (!/^\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(text)) return { wrong: 'nonsense price' }

  const decimal = new Big(text)
  if (decimal.eq(0)) return { wrong: 'zero' }
  if (decimal.gt(MOST)) return { wrong: 'nonsense price' }

  const price = decimal.div(unit).round(pair.decimals, Big.roundHalfUp).times(PRICE_SCALE)
  return price.eq(0) ? { wrong: 'zero' } : { price: price.toNumber() }
}
