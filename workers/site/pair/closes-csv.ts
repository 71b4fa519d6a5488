import type { Close } from '../../../shared/board/charts.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import { dayOf } from './read-charts.ts'

/**
 * The closed days with a change, oldest first: `fecha,compra,venta`. It begins with the mark by which
 * Excel knows UTF-8, because people save it.
 */
export function closesCsv(closes: readonly Close[]): string {
  const lines = closes.map((close) =>
    [dayOf(close), priceToNumber(close[2]), priceToNumber(close[1])].join(','),
  )
  return ['\ufefffecha,compra,venta', ...lines, ''].join('\r\n')
}
