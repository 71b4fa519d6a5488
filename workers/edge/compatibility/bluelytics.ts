/** Bluelytics' responses about now and about a day: groups of dollars and euros. */
import { type Board, quoteOf } from '../../../shared/board/board.ts'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { numberToPrice, type Price } from '../../../shared/market/price.ts'
import { twoDecimals } from '../../../shared/compatibility/bluelytics.ts'

/** Its groups, in its order. */
export const GROUPS: readonly { name: string; pair: Pair }[] = [
  { name: 'oficial', pair: findPair('USD', 'OFICIAL')! },
  { name: 'blue', pair: findPair('USD', 'BLUE')! },
  { name: 'oficial_euro', pair: findPair('EUR', 'OFICIAL')! },
  { name: 'blue_euro', pair: findPair('EUR', 'BLUE')! },
]

/** The groups that have a value, as the fields of an object; null when none has. */
export function printGroups(
  values: readonly ({ buy: Price; sell: Price } | null)[],
): string | null {
  const fields = GROUPS.flatMap(({ name }, index) => {
    const value = values[index]
    return value ? [`"${name}":${groupOf(value.buy, value.sell)}`] : []
  })
  return fields.length === 0 ? null : fields.join(',')
}

/** `last_update` is when the last of them changed. */
export function printLatest(board: Board): string | undefined {
  const quotes = GROUPS.map(({ pair }) => quoteOf(board, pair.currency, pair.origin))
  const groups = printGroups(
    quotes.map((quote) =>
      quote ? { buy: numberToPrice(quote.buy), sell: numberToPrice(quote.sell) } : null,
    ),
  )
  // All have the same form and zone, so the greatest text is the latest.
  const last = quotes
    .map((quote) => quote?.updatedAt ?? '')
    .toSorted()
    .at(-1)
  return groups === null ? undefined : `{${groups},"last_update":"${last}"}`
}

/** A group of Bluelytics; the average is the mean of the two exact values. */
function groupOf(buy: Price, sell: Price): string {
  const average = twoDecimals((buy + sell) / 2)
  return `{"value_avg":${average},"value_sell":${twoDecimals(sell)},"value_buy":${twoDecimals(buy)}}`
}
