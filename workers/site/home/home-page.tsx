import { Hono } from 'hono'
import { useContext } from 'hono/jsx'
import type { Board } from '../../../shared/board/board.ts'
import { ModeBanner } from '../board/marks.tsx'
import { groupsOf } from '../board/quote-view.ts'
import { valuesText } from '../board/words.ts'
import type { SiteContext } from '../context.ts'
import { withBoard } from '../page-board.ts'
import { Layout, Now } from '../layout.tsx'
import { readMonth, readRecent } from '../pair/read-charts.ts'
import { BoardTables, type ListCharts } from './board-tables.tsx'
import { Converter } from './converter.tsx'
import { blueSummary } from './figures.ts'

/** `/`. Caches keep it for less than the minute after which its script reads it again. */
export function homeRoutes() {
  return new Hono<SiteContext>().get('/', withBoard, async (c) => {
    const { board } = c.var
    const [closes, points] = await Promise.all([readMonth(c.env.BOARD), readRecent(c.env.BOARD)])
    c.header('Cache-Control', board ? 'public, max-age=30' : 'no-store')
    if (!board) {
      c.status(503)
      c.header('Retry-After', '30')
    }
    const props = { charts: { closes, points }, query: c.req.query() }
    return c.render(
      <Layout
        title="El dólar hoy en la Argentina"
        description={DESCRIPTION}
        path="/"
        script={board ? 'board' : undefined}
      >
        {board ? <Quotes board={board} {...props} /> : <NoBoard />}
      </Layout>,
    )
  })
}

const DESCRIPTION =
  'Dólar blue, oficial, MEP, CCL y cripto, euro, real y riesgo país: compra, venta, variación y brecha, cada cinco minutos.'

interface QuotesProps {
  board: Board
  charts: ListCharts
  query: Record<string, string>
}

function Quotes({ board, charts, query }: QuotesProps) {
  const now = useContext(Now)
  const groups = groupsOf(board, now)
  const blue = groups.flatMap(({ pairs }) => pairs).find(({ pair }) => pair.origin === 'BLUE')
  return (
    <>
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
        </aside>
      </div>
    </>
  )
}

function NoBoard() {
  return (
    <section class="card narrow">
      <h1>Todavía no hay cotizaciones</h1>
      <p>No pudimos leer el tablero. Probá de nuevo en un minuto.</p>
      <p>
        <a href="/estado">Ver el estado del servicio</a>
      </p>
    </section>
  )
}
