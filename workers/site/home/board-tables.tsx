import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import type { MonthDocument, RecentDocument } from '../../../shared/board/charts.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import {
  dayRange,
  type GroupView,
  groupsOf,
  type PairView,
  type QuoteView,
} from '../board/quote-view.ts'
import { Panel } from '../layout.tsx'
import { AgeMark, ChangeMark } from '../board/marks.tsx'
import { CURRENCY_NAMES, pairPath, directionOf } from '../board/words.ts'
import { dailyValues, linePath } from '../board/line.ts'
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
  charts: ListCharts
  now: Instant
}

/**
 * The tables of the home page. The page's script puts what changed into the cells of the same
 * `data-cell`, so every pair of the catalogue has its row, quoted or not.
 */
export function BoardTables({ board, charts, now }: Props) {
  return (
    <div id="tablero" data-now={now} data-every={board.everySeconds}>
      {groupsOf(board, now).map((group) => (
        <Group group={group} charts={charts} now={now} />
      ))}
      <p class="board-note">
        Última vuelta:{' '}
        <span data-part="generado">
          <time datetime={formatArgentine(board.generatedAt)}>{momentText(board.generatedAt)}</time>
        </span>
        , hora argentina. La variación es contra el último valor de ayer; la brecha, contra la venta
        del oficial. La línea son los últimos 30 días; debajo, el mínimo y el máximo de hoy.
      </p>
    </div>
  )
}

interface GroupProps extends Omit<Props, 'board'> {
  group: GroupView
}

function Group({ group: { currency, pairs }, charts, now }: GroupProps) {
  const single = currency === 'ARG'
  const gaps = currency === 'USD'
  const heads = [
    ...(single ? ['Índice', 'Valor'] : ['Cotización', 'Compra', 'Venta']),
    ...(gaps ? ['Brecha'] : []),
    'Variación',
    '30 días',
  ]

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
            <Row view={view} single={single} gaps={gaps} charts={charts} now={now} />
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
  now: Instant
}

function Row({ view, single, gaps, charts, now }: RowProps) {
  const { pair, quote } = view
  const key = pairPath(pair).slice(1)
  const range = quote && dayRange(quote, charts.points[pairKey(pair)] ?? [], now)

  return (
    <tr
      role="row"
      data-pair={key}
      data-buy={quote?.buy}
      data-sell={quote?.sell}
      data-updated={quote?.updatedAt}
      data-confirmed={quote?.lastScrapedAt}
      data-decimals={shownDecimals(pair)}
      data-low={range?.low}
      data-high={range?.high}
    >
      <th role="rowheader" scope="row" class="pair">
        <a href={pairPath(pair)}>{pair.name}</a>
        <span class="age" data-cell="age">
          {quote ? <AgeMark quote={quote} now={now} /> : 'Todavía sin datos'}
        </span>
      </th>
      <Values view={view} single={single} gaps={gaps} />
      <td role="cell" class="move" data-cell="move">
        <ChangeMark change={quote?.change ?? null} />
      </td>
      <td role="cell" class="trend">
        <span class="spark-place" data-cell="spark">
          <Spark closes={charts.closes[pairKey(pair)] ?? []} quote={quote} now={now} />
        </span>
        <span class="day-range">
          <span class="visually-hidden">Hoy: </span>
          <span data-cell="range">
            {range ? rangeText(range.low, range.high, shownDecimals(pair)) : 'sin cambios'}
          </span>
        </span>
      </td>
    </tr>
  )
}

function Values({ view: { pair, quote }, single, gaps }: Omit<RowProps, 'charts' | 'now'>) {
  return (
    <>
      {!single && (
        <td role="cell" data-cell="buy">
          {quote ? priceText(quote.buy, shownDecimals(pair)) : '—'}
        </td>
      )}
      <td role="cell" class="sell" data-cell="sell">
        {quote ? (
          <>
            {single && pair.valueType === 'money' && <span class="unit">$ </span>}
            {priceText(quote.sell, shownDecimals(pair))}
          </>
        ) : (
          '—'
        )}
      </td>
      {gaps && (
        <td role="cell" class="gap" data-cell="gap">
          {quote?.gap == null ? (
            <span class="muted" aria-hidden="true">
              —
            </span>
          ) : (
            percentText(quote.gap)
          )}
        </td>
      )}
    </>
  )
}

const SPARK_BOX = { width: 100, height: 24 }

interface SparkProps {
  closes: readonly (readonly [day: number, sell: number])[]
  quote: QuoteView | null
  now: Instant
}

/** The last 30 days as a small line, coloured by direction; a dash with fewer than two days. */
function Spark({ closes, quote, now }: SparkProps) {
  const values = dailyValues({ closes, quote }, 30, now)
  const path = linePath(values, SPARK_BOX)
  if (!path) return <>—</>

  const first = values.find((value) => value !== null)!
  const last = values.findLast((value) => value !== null)!
  return (
    <svg
      class={`spark ${directionOf(last - first)}`}
      viewBox={`0 0 ${SPARK_BOX.width} ${SPARK_BOX.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
