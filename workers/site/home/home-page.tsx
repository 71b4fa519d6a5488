import { Hono } from 'hono'
import { useContext } from 'hono/jsx'
import type { Board } from '../../../shared/board/board.ts'
import { ModeBanner } from '../board/elements.tsx'
import { groupsOf, type GroupView } from '../board/quote-view.ts'
import { pairPath, valuesText } from '../board/words.ts'
import type { SiteContext } from '../context.ts'
import { boardOf, withBoard } from '../page-board.ts'
import { Card, Layout, Now } from '../layout.tsx'
import { readMonth, readRecent } from '../pair/read-charts.ts'
import { BoardTables, type ListCharts } from './board-tables.tsx'
import { Converter } from './converter.tsx'
import { percentText } from '../../../shared/market/spanish-text.ts'
import { barsOf, blueSummary } from './figures.ts'

/** `/`. The page's script reads the page again each minute, so caches keep it for less. */
export function homeRoutes() {
  return new Hono<SiteContext>().get('/', withBoard, async (c) => {
    const board = boardOf(c)
    const [closes, points] = await Promise.all([readMonth(c.env.BOARD), readRecent(c.env.BOARD)])
    c.header('Cache-Control', 'public, max-age=30')
    return c.render(<HomePage board={board} charts={{ closes, points }} query={c.req.query()} />)
  })
}

const DESCRIPTION =
  'Dólar blue, oficial, MEP, CCL y cripto, euro, real y riesgo país: compra, venta, variación y brecha, cada cinco minutos.'

interface Props {
  board: Board
  charts: ListCharts
  query: Record<string, string>
}

function HomePage({ board, charts, query }: Props) {
  const now = useContext(Now)
  const groups = groupsOf(board, now)
  const blue = groups.flatMap(({ pairs }) => pairs).find(({ pair }) => pair.origin === 'BLUE')
  return (
    <Layout title="El dólar hoy en la Argentina" description={DESCRIPTION} path="/" script="board">
      <ModeBanner mode={board.mode} />
      <div class="hero">
        <h1>El dólar hoy</h1>
        <p class="lead" data-summary>
          {blue?.quote
            ? blueSummary(blue.quote.sell, blue.quote.gap)
            : 'Compra, venta y variación de cada cotización, cada cinco minutos.'}
        </p>
        <p class="live-state" role="status" data-live="">
          {valuesText(board, now)}
        </p>
      </div>
      <div class="columns">
        <BoardTables board={board} groups={groups} charts={charts} />
        <aside class="side">
          <Converter query={query} groups={groups} />
          <Card id="brecha" title="Brecha con el oficial">
            <GapBars groups={groups} />
            <p>
              <a href="/brecha">La brecha a través del tiempo</a>
            </p>
          </Card>
        </aside>
      </div>
    </Layout>
  )
}

/** The gap of each dollar to the official dollar, as bars that share one zero line. */
function GapBars({ groups }: { groups: readonly GroupView[] }) {
  const rows = groups
    .flatMap(({ pairs }) => pairs)
    .flatMap(({ pair, quote }) => (quote?.gap == null ? [] : [{ pair, gap: quote.gap }]))
  if (rows.length === 0)
    return <p class="muted">Se dibuja cuando cotizan el oficial y otro dólar.</p>

  const bars = barsOf(rows.map(({ gap }) => gap))
  return (
    <ul class="gap-bars">
      {rows.map(({ pair, gap }, index) => (
        <li data-gap={pairPath(pair).slice(1)}>
          <span>{pair.name.replace('Dólar ', '')}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect x={bars[index]!.x} width={bars[index]!.width} height="10" rx="0.8" />
          </svg>
          <span class="gap-value">{percentText(gap)}</span>
        </li>
      ))}
    </ul>
  )
}
