import { addDays, argentineDay, type Day, type Instant } from '../../../shared/argentine-time.ts'
import type { Candle } from '../../../shared/db/quotes/points.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { DecreedDay } from '../../../shared/market/holidays.ts'
import type { PastDay } from '../db/day.ts'
import { Crumbs, Fact, ModeBanner, Move } from '../board/marks.tsx'
import { Table } from '../board/table.tsx'
import type { Mode } from '../../../shared/board/board.ts'
import type { QuoteView } from '../board/quote-view.ts'
import { pairPath } from '../board/words.ts'
import { closedReason } from '../calendar.tsx'
import { Layout } from '../layout.tsx'
import { DateForm } from './date-form.tsx'
import {
  dayText,
  longDayText,
  momentText,
  priceText,
  rangeText,
  unitsOf,
  valueText,
  withUnit,
} from '../../../shared/market/spanish-text.ts'

export interface DatePageProps {
  pair: Pair
  day: Day
  past: PastDay
  /** The value in effect now, to compare with. */
  quote: QuoteView | null
  mode: Mode
  decreed: readonly DecreedDay[] | undefined
  now: Instant
}

/** A pair on a closed day: its value, and the changes before and after. */
export function DatePage(props: DatePageProps) {
  const { pair, day, past, mode, now } = props
  const path = `${pairPath(pair)}/${day}`
  const title = `${pair.name} el ${longDayText(day)}`

  return (
    <Layout
      title={title}
      description={descriptionOf(title, props)}
      path={path}
      head={past.point ? undefined : <meta name="robots" content="noindex" />}
    >
      <ModeBanner mode={mode} />
      <Crumbs pair={pair}>
        <span aria-hidden="true">/</span>
        <a href={pairPath(pair)}>{pair.name}</a>
      </Crumbs>
      <h1 class="pair-title">{title}</h1>
      <Value {...props} />
      <Neighbours {...props} />
      <DateForm pair={pair} day={day} now={now} />
      <p class="pair-links">
        <a href={`/api/v2/date/${day}${pairPath(pair)}`}>Leerla por la API</a>
        <a href={`/api/v2/date/${day}${pairPath(pair)}?format=csv`}>Bajarla en CSV</a>
        <a href={`${pairPath(pair)}/diario.csv`}>Todos los cierres (CSV)</a>
      </p>
    </Layout>
  )
}

function Value({ pair, day, decreed, past: { point, candle, before, after } }: DatePageProps) {
  if (!point) {
    return (
      <p class="empty">
        {after
          ? `Ese día todavía no había datos: el primero es del ${dayText(after.day)}.`
          : 'Ese día no hay datos de esta cotización.'}
      </p>
    )
  }
  const closed = closedReason(day, decreed)
  return (
    <>
      <section class="headline" aria-label="Valor de ese día">
        <p class="headline-value">
          {!pair.singleValue && <span class="headline-side">Venta al final del día</span>}
          <strong>{valueText(point.sell, unitsOf(pair))}</strong>
          {candle && before && <Move from={before.close} to={point.sell} />}
        </p>
        <dl class="facts">
          {!pair.singleValue && <Fact name="Compra">{valueText(point.buy, unitsOf(pair))}</Fact>}
          {before && candle && (
            <Fact name="Cierre anterior">{valueText(before.close, unitsOf(pair))}</Fact>
          )}
          <Fact name="Rango del día">{candle ? dayRangeText(candle, pair) : 'sin cambios'}</Fact>
          <Fact name="Regía desde">{momentText(point.at)}</Fact>
        </dl>
      </section>
      {(closed || !candle) && (
        <p class="notice">
          {closed && `${closed}. `}
          {!candle && `No cambió ese día: sigue el valor del ${dayText(argentineDay(point.at))}.`}
        </p>
      )}
    </>
  )
}

function dayRangeText({ low, high }: Candle, pair: Pair): string {
  const { valueType, decimals } = unitsOf(pair)
  return withUnit(
    low === high ? priceText(low, decimals) : rangeText(low, high, decimals),
    valueType,
  )
}

/** The changes around the day and today's value, each with how far it is from that day's. */
function Neighbours({ pair, day, past: { point, before, after }, quote, now }: DatePageProps) {
  const today = argentineDay(now)
  const next = after && after.day < today ? after : null
  const rows = [
    before && { name: 'Antes', day: before.day, sell: before.close },
    point && { name: 'Ese día', day, sell: point.sell },
    next && { name: 'Después', day: next.day, sell: next.close },
    quote && { name: 'Hoy', day: today, sell: quote.sell },
  ].filter((row) => row !== null)

  return (
    <section class="panel daily" aria-labelledby="alrededor">
      <h2 id="alrededor">Antes y después</h2>
      <Table class="plain" head={['Fecha', pair.singleValue ? 'Valor' : 'Venta', 'Diferencia']}>
        {rows.map((row) => (
          <tr>
            <th scope="row">
              {row.name},{' '}
              {row.day === day ? (
                dayText(row.day)
              ) : (
                <a href={row.day === today ? pairPath(pair) : `${pairPath(pair)}/${row.day}`}>
                  {dayText(row.day)}
                </a>
              )}
            </th>
            <td class="sell">{valueText(row.sell, unitsOf(pair))}</td>
            <td>
              <Move from={point && row.day !== day ? point.sell : null} to={row.sell} />
            </td>
          </tr>
        ))}
      </Table>
      <nav class="day-steps" aria-label="Otros días">
        <a href={`${pairPath(pair)}/${addDays(day, -1)}`} rel="prev">
          Día anterior
        </a>
        <a
          href={addDays(day, 1) === today ? pairPath(pair) : `${pairPath(pair)}/${addDays(day, 1)}`}
          rel="next"
        >
          Día siguiente
        </a>
      </nav>
    </section>
  )
}

function descriptionOf(title: string, { pair, past: { point, candle } }: DatePageProps): string {
  if (!point) return `${title}: sin datos.`
  const value = pair.singleValue
    ? valueText(point.sell, unitsOf(pair))
    : `compra ${valueText(point.buy, unitsOf(pair))}, venta ${valueText(point.sell, unitsOf(pair))}`
  return `${title}: ${value}${candle ? `, rango ${dayRangeText(candle, pair)}` : ''}.`
}
