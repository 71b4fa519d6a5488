import { type Child, useContext } from 'hono/jsx'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import type { MonthDocument, RecentDocument } from '../../../shared/board/charts.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import {
  dataOf,
  dayRange,
  type GroupView,
  type PairView,
  type QuoteView,
} from '../board/quote-view.ts'
import { Now, Panel } from '../layout.tsx'
import { ConfirmedAge, DayChange, Line } from '../board/elements.tsx'
import { CURRENCY_NAMES, pairPath, directionOf } from '../board/words.ts'
import { dailyValues } from '../board/line.ts'
import {
  momentText,
  percentText,
  priceText,
  rangeText,
  shownDecimals,
} from '../../../shared/market/spanish-text.ts'

/** The last closes and the points of the last day, of every pair. */
export interface ListCharts {
  closes: MonthDocument['closes']
  points: RecentDocument['points']
}

interface Props {
  board: Board
  groups: readonly GroupView[]
  charts: ListCharts
}

/**
 * The tables of the home page. The page's script updates the cells by `data-cell`, so every pair of
 * the catalogue has its row, even a pair without a quote.
 */
export function BoardTables({ board, groups, charts }: Props) {
  return (
    <div id="tablero" data-now={useContext(Now)} data-every={board.everySeconds}>
      {groups.map((group) => (
        <Group group={group} charts={charts} />
      ))}
      <p class="board-note">
        Última vuelta:{' '}
        <span data-part="generado">
          <time datetime={formatArgentine(board.generatedAt)}>{momentText(board.generatedAt)}</time>
        </span>
        , hora argentina. La variación es contra el último valor de ayer; la{' '}
        <a href="/brecha">brecha</a>, contra la venta del oficial. La línea son los últimos 30 días;
        debajo, el mínimo y el máximo de hoy.
      </p>
    </div>
  )
}

function Group({ group, charts }: { group: GroupView; charts: ListCharts }) {
  const { currency, pairs } = group
  const single = currency === 'ARG'
  const gaps = currency === 'USD'
  const heads = [
    ...(single ? ['Índice', 'Valor'] : ['Cotización', 'Compra', 'Venta']),
    ...(gaps ? ['Brecha'] : []),
    'Variación',
    '30 días',
  ]

  // On a phone each row is a grid, so screen readers need these roles to find a table.
  return (
    <Panel id={currency.toLowerCase()} title={CURRENCY_NAMES[currency]}>
      <table role="table" class={gaps ? 'quotes with-gap' : single ? 'quotes single' : 'quotes'}>
        <thead role="rowgroup">
          <tr role="row">
            {heads.map((head) => (
              <th role="columnheader" scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {pairs.map((view) => (
            <Row view={view} single={single} gaps={gaps} charts={charts} />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

interface RowProps {
  view: PairView
  single: boolean
  gaps: boolean
  charts: ListCharts
}

function Row({ view, single, gaps, charts }: RowProps) {
  const { pair, quote } = view
  const decimals = shownDecimals(pair)
  const range = quote && dayRange(quote, charts.points[pairKey(pair)] ?? [], useContext(Now))

  return (
    <tr role="row" {...dataOf(view, range)}>
      <th role="rowheader" scope="row" class="pair">
        <a href={pairPath(pair)}>{pair.name}</a>
        <span class="age" data-cell="age">
          {quote ? <ConfirmedAge quote={quote} /> : 'Todavía sin datos'}
        </span>
      </th>
      {!single && <Cell name="buy">{quote ? priceText(quote.buy, decimals) : '—'}</Cell>}
      <Cell name="sell">
        {single && quote && pair.valueType === 'money' && <span class="unit">$ </span>}
        {quote ? priceText(quote.sell, decimals) : '—'}
      </Cell>
      {gaps && <Cell name="gap">{quote?.gap == null ? '—' : percentText(quote.gap)}</Cell>}
      <Cell name="move">
        <DayChange change={quote?.change ?? null} />
      </Cell>
      <td role="cell" class="trend">
        <span class="spark-cell" data-cell="spark">
          <Spark closes={charts.closes[pairKey(pair)] ?? []} quote={quote} />
        </span>
        <span class="day-range">
          <span class="visually-hidden">Hoy: </span>
          <span data-cell="range">
            {range ? rangeText(range.low, range.high, decimals) : 'sin cambios'}
          </span>
        </span>
      </td>
    </tr>
  )
}

function Cell({ name, children }: { name: string; children?: Child }) {
  return (
    <td role="cell" class={name} data-cell={name}>
      {children}
    </td>
  )
}

interface SparkProps {
  closes: readonly (readonly [day: number, sell: number])[]
  quote: QuoteView | null
}

/** The last 30 days as a small line, coloured by direction; a dash with fewer than two values. */
function Spark({ closes, quote }: SparkProps) {
  const values = dailyValues({ closes, quote }, 30, useContext(Now))
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return <>—</>
  const direction = directionOf(known.at(-1)! - known[0]!)
  return <Line class={`spark ${direction}`} values={values} width={100} height={24} />
}
