import * as z from 'zod/mini'
import type { Instant } from '../../../shared/argentine-time.ts'
import { FUTURES_HOURS, type Hours } from '../../../shared/market/market-hours.ts'
import { MONTHS } from '../../../shared/market/spanish-text.ts'
import { getAmbito } from './ambito.ts'
import { atLeastOne, fitting, get, json, isoDay, lastDays } from './document.ts'
import { parseDecimal, positiveOrNull } from './number-text.ts'
import type { Reading, Source } from './source.ts'

/** `YYYY-MM` of a contract's name: `Dólar Septiembre 2026`, `Sep-26`, `DLR092026`; else null. */
export function contractMonth(name: string): string | null {
  const [, digits, digitsYear] = /DLR[ /]?(\d{2})(\d{4})\b/i.exec(name) ?? []
  if (digits && digitsYear) return written(Number(digits), digitsYear)

  const [, word, year] = /([a-z]{3,10})[ ./-]+(?:de )?(\d{4}|\d{2})\s*$/i.exec(name) ?? []
  if (!word || !year) return null

  const abbreviation = word.slice(0, 3).toLowerCase().replace('set', 'sep')
  const month = MONTHS.findIndex((name) => name.startsWith(abbreviation)) + 1
  return written(month, year.padStart(4, '20'))
}

function written(month: number, year: string): string | null {
  return month >= 1 && month <= 12 ? `${year}-${String(month).padStart(2, '0')}` : null
}

const row = z.object({
  contrato: z.string(),
  ultimo: z.string(),
  compra: z.optional(z.string()),
  venta: z.optional(z.string()),
})
const olderRow = z.pipe(
  z.object({ mes: z.string(), valor: z.string() }),
  z.transform(({ mes, valor }) => ({ contrato: mes, ultimo: valor, compra: '', venta: '' })),
)

/**
 * The futures board, one row per contract. We have no recording of this document. Other projects'
 * parsers know the keys contrato/ultimo/compra/venta, mes/valor, or a first row of column names.
 */
export const ambitoFutures: Source = {
  ...getAmbito('ambito-futuro-contratos', '/dolarfuturo/datos', 5, FUTURES_HOURS),
  parse: json(z.array(z.unknown()), (items) =>
    atLeastOne(
      fitting(objectsOf(items), z.union([row, olderRow])).flatMap(futureOf),
      'holds no contract',
    ),
  ),
}

/** The rows as objects. The first row of a table names the columns; objects stay as they are. */
function objectsOf(items: readonly unknown[]): readonly unknown[] {
  const [header, ...rows] = items
  if (!Array.isArray(header)) return items

  const keys = header.map((name) => String(name).toLowerCase().trim().replace('ú', 'u'))
  return rows.map((cells) =>
    Array.isArray(cells) ? Object.fromEntries(keys.map((key, at) => [key, cells[at]])) : cells,
  )
}

function futureOf({ contrato, ultimo, compra, venta }: z.infer<typeof row>): Reading[] {
  const month = contractMonth(contrato)
  const last = parseDecimal(ultimo, 'comma')
  if (month === null || !last?.gt(0)) return []

  const buy = parseDecimal(compra ?? '', 'comma')
  const sell = parseDecimal(venta ?? '', 'comma')
  const [bought, sold] = buy?.gt(0) && sell?.gt(0) ? [buy, sell] : [last, last]
  return [{ kind: 'future', month, buy: bought, sell: sold }]
}

const payload = z.object({
  data: z.array(
    z.object({
      symbol: z.string(),
      dateTime: z.string(),
      settlement: z.nullish(z.number()),
      close: z.nullish(z.number()),
    }),
  ),
})

function a3Address(now: Instant): string {
  const { from, to } = lastDays(now)
  return `https://apicem.matbarofex.com.ar/api/v2/closing-prices?market=ROFX&product=DLR&type=FUT&from=${from}&to=${to}&page=1&pageSize=500&sortDir=ASC&version=v2`
}

/** The morning after a session, because its settlement appears overnight. */
const MORNING: Hours = { days: 'market', windows: [[6 * 60, 10 * 60]] }

/**
 * Closing prices of the dollar futures. `dateTime` is the trade date at 00:00Z, not an instant.
 * Other symbols than `DLRMMYYYY` (options, spreads) are skipped.
 */
export const a3: Source = {
  ...get('a3-dlr', 60, MORNING, a3Address),
  parse: json(payload, ({ data }) => {
    const readings = data.flatMap((row): Reading[] => {
      const month = /^DLR\d{6}$/.test(row.symbol) ? contractMonth(row.symbol) : null
      const price = positiveOrNull(row.settlement) ?? positiveOrNull(row.close)
      if (month === null || price === null) return []

      return [{ kind: 'future', month, buy: price, sell: price, day: isoDay(row.dateTime) }]
    })
    return atLeastOne(readings, 'holds no settlement')
  }),
}
