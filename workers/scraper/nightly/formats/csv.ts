import { priceToNumber } from '../../../../shared/market/price.ts'
import { type DailyCloses, eachClose } from '../daily-closes.ts'

/** RFC 4180 with a header row; decimals with a dot. */
export function toCsvFile(closes: DailyCloses): string {
  const lines = ['date,currency,origin,buy,sell,changed']
  eachClose(closes, ({ currency, origin }, date, buy, sell, changed) => {
    lines.push(
      `${date},${currency},${origin},${priceToNumber(buy)},${priceToNumber(sell)},${changed}`,
    )
  })
  return `${lines.join('\r\n')}\r\n`
}
