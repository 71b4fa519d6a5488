import { useContext } from 'hono/jsx'
import { argentineDay, type Day, dayOfNumber } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { numberToPrice, type Price } from '../../../shared/market/price.ts'
import { Move, Table } from '../board/elements.tsx'
import type { QuoteView } from '../board/quote-view.ts'
import { pairPath } from '../board/words.ts'
import { Now, Panel } from '../layout.tsx'
import type { Charts } from './read-charts.ts'
import { dayText, priceText, shownDecimals } from '../../../shared/market/spanish-text.ts'

const ROWS = 30

interface Row {
  day: Day
  buy: Price
  sell: Price
  /** The previous sell; null on the first day. */
  before: Price | null
}

interface Props {
  pair: Pair
  charts: Charts
  quote: QuoteView | null
}

/** Today's value, and the last closed days on which it changed. */
export function DailyTable({ pair, charts, quote }: Props) {
  const today = argentineDay(useContext(Now))
  const rows = rowsOf(charts, quote, today)
  if (rows.length === 0) return null

  return (
    <Panel id="diario" title="Día por día">
      <Table
        class="plain"
        head={['Fecha', ...(pair.singleValue ? ['Valor'] : ['Compra', 'Venta']), 'Variación']}
      >
        {rows.map(({ day, buy, sell, before }) => (
          <tr>
            <th scope="row">
              {day === today ? (
                <time datetime={day}>Hoy</time>
              ) : (
                <a href={`${pairPath(pair)}/${day}`}>
                  <time datetime={day}>{dayText(day)}</time>
                </a>
              )}
            </th>
            {!pair.singleValue && <td>{priceText(buy, shownDecimals(pair))}</td>}
            <td class="sell">{priceText(sell, shownDecimals(pair))}</td>
            <td>
              <Move from={before} to={sell} />
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  )
}

/**
 * The closes of the chart, and today. If the current value's day is closed but not in the chart
 * yet, that day is added. Today's change is the same as everywhere else.
 */
function rowsOf({ closes }: Charts, quote: QuoteView | null, today: Day): Row[] {
  const days = closes.slice(-ROWS - 1)
  const rows = days.map(([day, sell, buy], index): Row => {
    return { day: dayOfNumber(day), buy, sell, before: days[index - 1]?.[1] ?? null }
  })
  // If there are more days, the first day of the slice only serves for the change of the second.
  const shown = rows.slice(closes.length > ROWS ? 1 : 0)
  if (!quote) return shown.toReversed()

  const { buy, sell, change } = quote
  const since = argentineDay(quote.updatedAt)
  const last = shown.at(-1)
  if (since < today && since > (last?.day ?? '')) {
    shown.push({ day: since, buy, sell, before: last?.sell ?? null })
  }
  const before = change && numberToPrice(change.referenceValue)
  shown.push({ day: today, buy, sell, before })
  return shown.toReversed()
}
