import { argentineDay, DAY_MS, dayStart, type Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { pairsOf } from '../../../shared/market/catalog.ts'
import { dailyValues } from '../board/line.ts'
import { StillChart } from '../board/marks.tsx'
import { type PairView, viewOf } from '../board/quote-view.ts'
import { pairPath } from '../board/words.ts'
import { shownDecimals } from '../../../shared/market/spanish-text.ts'
import { Card } from '../layout.tsx'
import { ChartOutputs, ChartTable, Comparison, type Range, RangeChoice } from './chart-controls.tsx'
import type { Charts } from './read-charts.ts'

interface Props {
  board: Board
  view: PairView
  charts: Charts
  now: Instant
}

/**
 * The frame of the chart, of its final height from the start; the script fills it when it comes
 * into view. Without a script the last year stands in it as a picture; without data there is no
 * frame, but a sentence that says what will fill it.
 */
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

function Drawing({ board, view, charts, now }: Props) {
  const { pair } = view
  const others = pairsOf(pair.currency)!
    .filter((other) => other !== pair && other.valueType === pair.valueType)
    .map((other) => viewOf(board, other, now))
    .map((other) => ({
      key: pairPath(other.pair).slice(1),
      name: other.pair.name,
      confirmed: confirmedAt(other),
    }))

  return (
    <>
      <RangeChoice usual={usualRangeOf(charts, now)} />
      <div
        class="chart"
        data-chart={pairPath(pair).slice(1)}
        data-name={pair.name}
        data-decimals={shownDecimals(pair)}
        data-type={pair.valueType}
        data-confirmed={confirmedAt(view)}
      >
        <noscript>
          <YearPicture view={view} charts={charts} now={now} />
        </noscript>
      </div>
      <p class="chart-values" data-values aria-live="off"></p>
      <div class="chart-tools" data-drawing>
        <label class="check">
          <input type="checkbox" data-candles autocomplete="off" />
          Velas
        </label>
        <ChartOutputs />
      </div>
      {others.length > 0 && <Comparison legend="Comparar con" pairs={others} />}
      <ChartTable caption={`Valores de ${pair.name} en el período elegido`} />
    </>
  )
}

/** Whether two values are known, so that there is a line to draw. */
function isDrawable({ closes, recent }: Charts): boolean {
  return closes.length + recent.length >= 2
}

/** A month if it has two known days; else the last day. */
function usualRangeOf({ closes }: Charts, now: Instant): Range {
  const from = (dayStart(argentineDay(now)) - 30 * DAY_MS) / DAY_MS
  return closes.filter(([day]) => day >= from).length >= 2 ? 'mes' : 'dia'
}

/** Seconds, for the script: how far the line goes. */
export function confirmedAt({ quote }: PairView): number | undefined {
  return quote ? Math.floor(quote.lastScrapedAt / 1000) : undefined
}

const YEAR = 365

function YearPicture({ view: { quote }, charts: { closes }, now }: Omit<Props, 'board'>) {
  const values = dailyValues({ closes, quote }, YEAR, now)
  const first = values.findIndex((value) => value !== null)
  return (
    <StillChart values={values.slice(Math.max(0, first))}>
      El último año, hasta donde hay datos. Con JavaScript se puede elegir el período; los cierres
      están en la tabla.
    </StillChart>
  )
}
