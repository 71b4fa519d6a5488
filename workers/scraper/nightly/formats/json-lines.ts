import { priceToNumber } from '../../../../shared/market/price.ts'
import { type DailyCloses, eachClose } from '../daily-closes.ts'

/** One JSON object a line. */
export function toJsonLines(closes: DailyCloses): string {
  const lines: string[] = []
  eachClose(closes, ({ currency, origin }, date, buy, sell, changed) => {
    const values = { buy: priceToNumber(buy), sell: priceToNumber(sell), changed }
    lines.push(`${JSON.stringify({ date, currency, origin, ...values })}\n`)
  })
  return lines.join('')
}
