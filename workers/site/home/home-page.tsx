import type { Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { ModeBanner } from '../board/marks.tsx'
import { type GroupView, groupsOf } from '../board/quote-view.ts'
import { momentText } from '../board/words.ts'
import { blueSummary } from '../public/static/quote-text.js'
import type { ListCharts } from '../pair/read-charts.ts'
import { GapBars } from './gap-bars.tsx'
import { Card, Layout } from '../layout.tsx'
import { BoardTables } from './board-tables.tsx'
import type { ConversionForm } from './conversion.ts'
import { Converter } from './converter.tsx'

const DESCRIPTION =
  'Dólar blue, oficial, MEP, CCL y cripto, euro, real y riesgo país: compra, venta, variación y brecha, cada cinco minutos.'

export interface HomePageProps {
  board: Board | null
  charts: ListCharts
  now: Instant
  form: ConversionForm
  origin: string
}

export function HomePage({ board, charts, now, form, origin }: HomePageProps) {
  return (
    <Layout
      title="El dólar hoy en la Argentina"
      description={DESCRIPTION}
      canonical={`${origin}/`}
      styles={['quotes.css']}
      scripts={['board.js']}
    >
      {board ? <Quotes board={board} charts={charts} now={now} form={form} /> : <NoBoard />}
    </Layout>
  )
}

interface QuotesProps extends Omit<HomePageProps, 'board' | 'origin'> {
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
          Valores de las {momentText(board.generatedAt).slice(11)}, hora argentina.
        </p>
      </div>
      <div class="home">
        <BoardTables board={board} charts={charts} now={now} />
        <aside class="side">
          <Converter form={form} groups={groups} />
          <Card id="brecha" title="Brecha con el oficial">
            <div data-cell="brechas">
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
