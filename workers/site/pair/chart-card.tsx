import { useContext } from 'hono/jsx'
import { argentineDay, DAY_MS, dayStart, type Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { pairsOf } from '../../../shared/market/catalog.ts'
import { dailyValues } from '../board/line.ts'
import { StillChart } from '../board/elements.tsx'
import { type PairView, viewOf } from '../board/quote-view.ts'
import { pairPath } from '../board/words.ts'
import { shownDecimals } from '../../../shared/market/spanish-text.ts'
import { Card, Now } from '../layout.tsx'
import { ChartFrame, comparable, confirmedAt } from './chart-controls.tsx'
import type { Charts } from './read-charts.ts'
import type { Range } from './series.ts'

interface Props {
  board: Board
  view: PairView
  charts: Charts
}

/** The chart of a pair. Without data, a sentence says when the chart will have data. */
export function ChartCard(props: Props) {
  const { view, charts } = props
  return (
    <Card
      id="grafico"
      title="Evolución"
      aside={
        charts.closes.length > 0 && (
          <a href={`${pairPath(view.pair)}/diario.csv`} download>
            Todos los cierres (CSV)
          </a>
        )
      }
    >
      {isDrawable(charts) ? (
        <Drawing {...props} />
      ) : (
        <p class="empty">
          {view.quote
            ? 'Hay un solo valor de esta cotización: la línea empieza con el próximo cambio y suma un cierre por día.'
            : 'Todavía no hay datos para dibujar: la línea empieza con la primera cotización y suma un cierre por día.'}
        </p>
      )}
    </Card>
  )
}

function Drawing({ board, view, charts }: Props) {
  const now = useContext(Now)
  const { pair } = view
  const others = pairsOf(pair.currency)!
    .filter((other) => other !== pair && other.valueType === pair.valueType)
    .map((other) => comparable(viewOf(board, other, now)))

  return (
    <ChartFrame
      usual={usualRangeOf(charts, now)}
      data={{
        'data-chart': pairPath(pair).slice(1),
        'data-name': pair.name,
        'data-decimals': shownDecimals(pair),
        'data-type': pair.valueType,
        'data-confirmed': confirmedAt(view),
      }}
      still={<YearPicture quote={view.quote} closes={charts.closes} />}
      choice={
        <label class="check">
          <input type="checkbox" data-candles autocomplete="off" />
          Velas
        </label>
      }
      legend="Comparar con"
      pairs={others}
      caption={`Valores de ${pair.name} en el período elegido`}
    />
  )
}

/** Whether there are at least two values, so that a line can be drawn. */
function isDrawable({ closes, recent }: Charts): boolean {
  return closes.length + recent.length >= 2
}

/** The initial period: a month if it has two closes, else the last day. */
function usualRangeOf({ closes }: Charts, now: Instant): Range {
  const from = (dayStart(argentineDay(now)) - 30 * DAY_MS) / DAY_MS
  return closes.filter(([day]) => day >= from).length >= 2 ? 'mes' : 'dia'
}

const YEAR = 365

function YearPicture(known: Pick<PairView, 'quote'> & Pick<Charts, 'closes'>) {
  const values = dailyValues(known, YEAR, useContext(Now))
  const first = values.findIndex((value) => value !== null)
  return (
    <StillChart values={values.slice(Math.max(0, first))}>
      El último año, hasta donde hay datos. Con JavaScript se puede elegir el período; los cierres
      están en la tabla.
    </StillChart>
  )
}
