import * as z from 'zod/mini'
import { FUTURES_HOURS } from '../../../shared/market/market-hours.ts'
import { ambitoDocument } from './ambito.ts'
import { contractMonth } from './parsing/contract-month.ts'
import { fitting, parseJson } from './parsing/json.ts'
import { decimalText } from './parsing/number-text.ts'
import { emptyError } from './parsing/source-error.ts'
import type { Reading, Source } from './source.ts'

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
 * The futures board, a row for each contract. There is no recording of it. Other parsers know the
 * keys contrato/ultimo/compra/venta, mes/valor, or a table whose first row names the columns.
 */
export const ambitoFutures: Source = {
  ...ambitoDocument('ambito-futuro-contratos', 5, FUTURES_HOURS),
  parse(body) {
    const items = parseJson(body, z.array(z.unknown()))
    const readings = fitting(objectsOf(items), z.union([row, olderRow])).flatMap(futureOf)
    if (readings.length === 0) throw emptyError('holds no contract')

    return readings
  },
}

function futureOf({ contrato, ultimo, compra, venta }: z.infer<typeof row>): Reading[] {
  const month = contractMonth(contrato)
  const last = decimalText(ultimo, 'comma')
  if (month === null || !last?.gt(0)) return []

  const buy = decimalText(compra ?? '', 'comma')
  const sell = decimalText(venta ?? '', 'comma')
  const [bought, sold] = buy?.gt(0) && sell?.gt(0) ? [buy, sell] : [last, last]
  return [{ kind: 'future', month, buy: bought, sell: sold }]
}

/** The rows of a table as objects, by the names in its first row. Rows that are objects stay. */
function objectsOf(items: readonly unknown[]): readonly unknown[] {
  const [header, ...rows] = items
  if (!Array.isArray(header)) return items

  const keys = header.map((name) => String(name).toLowerCase().trim().replace('ú', 'u'))
  return rows.map((cells) =>
    Array.isArray(cells) ? Object.fromEntries(keys.map((key, at) => [key, cells[at]])) : cells,
  )
}
