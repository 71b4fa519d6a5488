import type { Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { ModeBanner } from '../board/mode-banner.tsx'
import { type GroupView, groupsOf } from '../board/quote-view.ts'
import { percentText, valueText } from '../board/words.ts'
import { Layout } from '../layout.tsx'
import { BoardTables } from './board-tables.tsx'
import type { ConversionForm } from './conversion.ts'
import { Converter } from './converter.tsx'

const DESCRIPTION =
  'Dólar blue, oficial, MEP, CCL y cripto, euro, real y riesgo país: compra, venta, variación y brecha, cada cinco minutos.'

export interface HomePageProps {
  board: Board | null
  now: Instant
  form: ConversionForm
  origin: string
}

export function HomePage({ board, now, form, origin }: HomePageProps) {
  return (
    <Layout
      title="El dólar hoy en la Argentina"
      description={DESCRIPTION}
      canonical={`${origin}/`}
      styles={['quotes.css']}
      scripts={['board.js']}
    >
      {board ? <Quotes board={board} now={now} form={form} /> : <NoBoard />}
    </Layout>
  )
}

function Quotes({ board, now, form }: { board: Board; now: Instant; form: ConversionForm }) {
  const groups = groupsOf(board, now)
  return (
    <>
      <ModeBanner mode={board.mode} />
      <div class="hero">
        <h1>El dólar hoy</h1>
        <p class="lead" data-cell="resumen">
          {summaryOf(groups)}
        </p>
      </div>
      <div class="home">
        <BoardTables board={board} now={now} />
        <aside class="side">
          <Converter form={form} groups={groups} />
        </aside>
      </div>
    </>
  )
}

/** The page's one sentence: the blue, and how far it is from the official. */
export function summaryOf(groups: readonly GroupView[]): string {
  const blue = groups.flatMap(({ pairs }) => pairs).find(({ pair }) => pair.origin === 'BLUE')
  if (!blue?.quote) return 'Compra, venta y variación de cada cotización, cada cinco minutos.'

  const { sell, gap } = blue.quote
  const price = `El blue se vende a ${valueText(sell, blue.pair)}`
  if (gap === null) return `${price}.`
  if (gap === 0) return `${price}, igual que el oficial.`
  const distance = percentText(Math.abs(gap)).slice(1)
  return `${price}, ${distance} ${gap > 0 ? 'más caro' : 'más barato'} que el oficial.`
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
