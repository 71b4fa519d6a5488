import { Hono } from 'hono'
import type { SiteContext } from './context.ts'
import { boardOf, withBoard } from './page-board.ts'
import { addDays, type Instant, argentineDay, type Day } from '../../shared/argentine-time.ts'
import type { Mode, Board } from '../../shared/board/board.ts'
import { StillChart, ModeBanner, Table } from './board/elements.tsx'
import { pairPath } from './board/words.ts'
import { Card, Layout, Panel } from './layout.tsx'
import { ChartFrame, comparable } from './pair/chart-controls.tsx'
import { findPairByKey, pairsOf } from '../../shared/market/catalog.ts'
import { type DailyValues, dailyValues } from './board/line.ts'
import { viewOf, type PairView } from './board/quote-view.ts'
import { readCloses } from './pair/read-charts.ts'
import { gapsOf } from './pair/series.ts'
import { dayText, percentText } from '../../shared/market/spanish-text.ts'

/** `/brecha`: every dollar against the official one. */
export function gapRoutes() {
  return new Hono<SiteContext>().get('/', withBoard, async (c) => {
    const board = boardOf(c)
    const gaps = await readGaps(c.env.BOARD, board, c.var.now())
    c.header('Cache-Control', 'public, max-age=60')
    return c.render(<GapPage gaps={gaps} mode={board.mode} />)
  })
}

const TITLE = 'Brecha cambiaria'

interface Props {
  gaps: readonly GapHistory[]
  mode: Mode
}

/** The gap of each dollar to the official dollar, now and in the past. */
function GapPage({ gaps, mode }: Props) {
  return (
    <Layout
      title={TITLE}
      description="La brecha de cada dólar con el oficial: ahora, hace una semana, un mes y un año, y su gráfico."
      path="/brecha"
      script="pair"
    >
      <ModeBanner mode={mode} />
      <div class="hero">
        <h1>{TITLE}</h1>
        <p class="lead">{summaryOf(gaps)}</p>
      </div>
      <GapChart gaps={gaps} />
      <GapTable gaps={gaps} />
      <p class="board-note">
        La brecha es cuánto más cara es la venta de cada dólar que la del oficial, en el mismo
        momento; la de días pasados, entre sus cierres.
      </p>
    </Layout>
  )
}

function summaryOf(gaps: readonly GapHistory[]): string {
  const blue = gaps.find(({ view }) => view.pair.origin === 'BLUE')
  if (!blue || blue.now === null) return 'Cuánto más caro es cada dólar que el oficial.'
  const before = blue.monthAgo === null ? '' : `; hace un mes era de ${percentText(blue.monthAgo)}`
  return `La brecha entre el blue y el oficial es de ${percentText(blue.now)}${before}.`
}

function GapChart({ gaps }: { gaps: readonly GapHistory[] }) {
  const known = Math.max(...gaps.map(({ values }) => values.filter((v) => v !== null).length))
  const blue = gaps.find(({ view }) => view.pair.origin === 'BLUE')
  return (
    <Card id="grafico" title="Evolución">
      {known >= 2 ? (
        <ChartFrame
          usual={known > 32 ? 'anio' : known > 2 ? 'mes' : 'dia'}
          data={{
            'data-chart': '',
            'data-against': pairPath(OFFICIAL).slice(1),
            'data-type': 'percent',
            'data-decimals': 2,
          }}
          still={
            <StillChart values={blue?.values ?? []}>
              El último año del blue, hasta donde hay datos. Con JavaScript se pueden elegir los
              dólares y el período.
            </StillChart>
          }
          legend="Dólares"
          pairs={gaps.map(({ view }) => ({
            ...comparable(view),
            usual: USUAL.includes(view.pair.origin),
          }))}
          caption="Brecha de los dólares elegidos en el período elegido"
        />
      ) : (
        <p class="empty">
          Todavía no hay dos días para comparar: la línea empieza con el próximo cambio y suma un
          cierre por día.
        </p>
      )}
    </Card>
  )
}

function GapTable({ gaps }: { gaps: readonly GapHistory[] }) {
  return (
    <Panel id="brechas" title="Ahora y antes">
      <div class="scrolled" tabindex={0} role="region" aria-label="Brechas ahora y antes">
        <Table
          class="plain data"
          head={[
            'Dólar',
            'Ahora',
            'Hace 7 días',
            'Hace 30 días',
            'Hace un año',
            'Mínima del año',
            'Máxima del año',
          ]}
        >
          {gaps.map(({ view, now, weekAgo, monthAgo, yearAgo, least, most }) => (
            <tr>
              <th scope="row">
                <a href={pairPath(view.pair)}>{view.pair.name}</a>
              </th>
              {[now, weekAgo, monthAgo, yearAgo].map((percent) => (
                <td>{percent === null ? '—' : percentText(percent)}</td>
              ))}
              {[least, most].map((extreme) => (
                <td>
                  {extreme ? percentText(extreme.percent) : '—'}{' '}
                  {extreme && (
                    <a href={`${pairPath(view.pair)}/${extreme.day}`}>{dayText(extreme.day)}</a>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </div>
    </Panel>
  )
}

const OFFICIAL = findPairByKey('usd/oficial')!
/**
 * The dollars drawn by default, which sell far above the official dollar. The wholesale and futures
 * dollars are close to it.
 */
const USUAL = ['BLUE', 'BOLSA', 'CCL']
const DAYS = 365

interface GapHistory {
  view: PairView
  /** Percent; null where one of the two values is missing. */
  now: number | null
  weekAgo: number | null
  monthAgo: number | null
  yearAgo: number | null
  least: Extreme | undefined
  most: Extreme | undefined
  /** The gaps at the end of each of the last days, and now. */
  values: DailyValues
}

interface Extreme {
  day: Day
  percent: number
}

/** The gaps of every dollar except the official one. */
async function readGaps(kv: KVNamespace, board: Board, now: Instant): Promise<GapHistory[]> {
  const years = await Promise.all(
    pairsOf('USD')!.map(async (pair) => {
      const view = viewOf(board, pair, now)
      const closes = (await readCloses(kv, pair)).slice(-DAYS - 10)
      return { view, values: dailyValues({ closes, quote: view.quote }, DAYS, now) }
    }),
  )
  const base = years.find(({ view }) => view.pair === OFFICIAL)!.values
  return years
    .filter(({ view }) => view.pair !== OFFICIAL)
    .map(({ view, values }) => gapHistory(view, gapsOf(values, base), now))
}

function gapHistory(view: PairView, values: DailyValues, now: Instant): GapHistory {
  const today = argentineDay(now)
  const days = values.slice(0, -1).flatMap((percent, index) => {
    return percent === null ? [] : [{ day: addDays(today, index - DAYS), percent }]
  })
  const ordered = days.toSorted((a, b) => a.percent - b.percent)
  const back = (count: number) => values[DAYS - count] ?? null
  return {
    view,
    now: view.quote?.gap ?? null,
    weekAgo: back(7),
    monthAgo: back(30),
    yearAgo: back(365),
    least: ordered[0],
    most: ordered.at(-1),
    values,
  }
}
