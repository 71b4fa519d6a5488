import { Hono } from 'hono'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { ModeBanner } from '../board/marks.tsx'
import { type GroupView, groupsOf } from '../board/quote-view.ts'
import { pairPath, valuesText } from '../board/words.ts'
import type { SiteContext } from '../context.ts'
import { kept, OF_BOARD } from '../kept.ts'
import { Card, Layout } from '../layout.tsx'
import { readMonth, readRecent } from '../pair/read-charts.ts'
import { BoardTables, type ListCharts } from './board-tables.tsx'
import { type ConversionForm, Converter, readForm } from './converter.tsx'
import { percentText } from '../../../shared/market/spanish-text.ts'
import { barsOf, blueSummary } from './figures.ts'

/** `/`. Caches keep it for less than the minute after which its script reads it again. */
export function homeRoutes() {
  return new Hono<SiteContext>().get('/', kept(OF_BOARD, ['monto', 'par', 'lado']), async (c) => {
    const { board } = c.var
    const [closes, points] = await Promise.all([readMonth(c.env.BOARD), readRecent(c.env.BOARD)])
    const form = readForm(c.req.query())
    c.header('Cache-Control', board ? 'public, max-age=30' : 'no-store')
    if (!board) {
      c.status(503)
      c.header('Retry-After', '30')
    }
    const charts = { closes, points }
    return c.render(<HomePage board={board} charts={charts} now={c.var.now()} form={form} />)
  })
}

const DESCRIPTION =
  'Dólar blue, oficial, MEP, CCL y cripto, euro, real y riesgo país: compra, venta, variación y brecha, cada cinco minutos.'

interface HomePageProps {
  board: Board | null
  charts: ListCharts
  now: Instant
  form: ConversionForm
}

function HomePage({ board, charts, now, form }: HomePageProps) {
  return (
    <Layout
      title="El dólar hoy en la Argentina"
      description={DESCRIPTION}
      path="/"
      script={board ? 'board' : undefined}
    >
      {board ? <Quotes board={board} charts={charts} now={now} form={form} /> : <NoBoard />}
    </Layout>
  )
}

interface QuotesProps extends Omit<HomePageProps, 'board'> {
  board: Board
}

function Quotes({ board, charts, now, form }: QuotesProps) {
  const groups = groupsOf(board, now)
  return (
    <>
      <ModeBanner mode={board.mode} />
      <div class="hero">
        <h1>El dólar hoy</h1>
        <p class="lead" data-summary>
          {summaryOf(groups)}
        </p>
        <p class="live-state" role="status" data-live="">
          {valuesText(board, now)}
        </p>
      </div>
      <div class="columns">
        <BoardTables board={board} charts={charts} now={now} />
        <aside class="side">
          <Converter form={form} groups={groups} />
          <Card id="brecha" title="Brecha con el oficial">
            <div data-part="brechas">
              <GapBars groups={groups} />
            </div>
            <p>
              <a href="/brecha">La brecha a través del tiempo</a>
            </p>
          </Card>
        </aside>
      </div>
    </>
  )
}

/** The page's one sentence: the blue, and how far it is from the official. */
function summaryOf(groups: readonly GroupView[]): string {
  const blue = groups.flatMap(({ pairs }) => pairs).find(({ pair }) => pair.origin === 'BLUE')
  if (!blue?.quote) return 'Compra, venta y variación de cada cotización, cada cinco minutos.'
  return blueSummary(blue.quote.sell, blue.quote.gap)
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

/** How far each dollar is from the official one, as bars from a common zero. */
function GapBars({ groups }: { groups: readonly GroupView[] }) {
  const rows = groups
    .flatMap(({ pairs }) => pairs)
    .flatMap(({ pair, quote }) => (quote?.gap == null ? [] : [{ pair, gap: quote.gap }]))
  if (rows.length === 0) {
    return <p class="muted">Se dibuja cuando cotizan el oficial y otro dólar.</p>
  }
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
