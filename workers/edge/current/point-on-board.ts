import { type Board, quoteOf } from '../../../shared/board/board.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'

/** The value in effect of a pair; null when it was never quoted. */
export function pointOnBoard(board: Board, { currency, origin }: Pair): QuotedPoint | null {
  const quote = quoteOf(board, currency, origin)
  if (!quote) return null
  const { buy, sell, updatedAt } = quote
  return { at: Date.parse(updatedAt), buy: numberToPrice(buy), sell: numberToPrice(sell) }
}
