import { raw } from 'hono/html'
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { AgeMark } from '../board/age-mark.tsx'
import { ChangeMark } from '../board/change-mark.tsx'
import { ModeBanner } from '../board/mode-banner.tsx'
import type { PairView, QuoteView } from '../board/quote-view.ts'
import {
  ageText,
  CURRENCY_NAMES,
  pairPath,
  percentText,
  priceText,
  valueText,
} from '../board/words.ts'
import { Layout } from '../layout.tsx'
import { ChartCard } from './chart-card.tsx'
import { DailyTable } from './daily-table.tsx'
import { jsonLd } from './json-ld.ts'
import type { Charts } from './read-charts.ts'

export interface PairPageProps {
  board: Board
  view: PairView
  charts: Charts
  now: Instant
  origin: string
}

export function PairPage({ board, view, charts, now, origin }: PairPageProps) {
  const { pair, quote } = view
  const path = pairPath(pair)
  const url = `${origin}${path}`
  const description = descriptionOf(view)

  return (
    <Layout
      title={`${pair.name} hoy`}
      description={description}
      canonical={url}
      styles={['quotes.css', 'pair.css']}
      scripts={['chart.js']}
      head={
        <>
          <meta property="og:type" content="website" />
          <meta property="og:title" content={`${pair.name} hoy`} />
          <meta property="og:description" content={description} />
          <meta property="og:url" content={url} />
          <meta property="og:image" content={`${url}/imagen.svg`} />
          <meta name="twitter:card" content="summary_large_image" />
          <script type="application/ld+json">{raw(jsonLd(view, url))}</script>
        </>
      }
    >
      <ModeBanner mode={board.mode} />
      <nav class="crumbs" aria-label="Dónde estás">
        <a href="/">Cotizaciones</a>
        <span aria-hidden="true">/</span>
        <a href={`/#${pair.currency.toLowerCase()}`}>{CURRENCY_NAMES[pair.currency]}</a>
      </nav>
      <h1 class="pair-title">{pair.name}</h1>
      {quote ? (
        <Headline view={view} quote={quote} now={now} />
      ) : (
        <p class="empty">Esta cotización todavía no tiene datos.</p>
      )}
      <ChartCard pair={pair} charts={charts} />
      <DailyTable pair={pair} charts={charts} quote={quote} today={argentineDay(now)} />
      <p class="pair-links">
        <a href={`/api/v2${path}`}>Leerla por la API</a>
        <a href={`/embed${path}`}>Tarjeta para insertar</a>
        <a href={`/badge${path}.svg`}>Insignia SVG</a>
      </p>
    </Layout>
  )
}

function Headline({
  view: { pair },
  quote,
  now,
}: {
  view: PairView
  quote: QuoteView
  now: Instant
}) {
  const { change, gap } = quote
  return (
    <section class="headline" aria-label="Valor actual">
      <p class="headline-value">
        {!pair.singleValue && <span class="headline-side">Venta</span>}
        <strong>{valueText(quote.sell, pair)}</strong>
        {change && <ChangeMark change={change} />}
      </p>
      <dl class="facts">
        {!pair.singleValue && <Fact name="Compra">{valueText(quote.buy, pair)}</Fact>}
        <Fact name="Cierre de ayer">
          {change ? valueText(Math.round(change.referenceValue * 10_000), pair) : '—'}
        </Fact>
        {gap !== null && <Fact name="Brecha con el oficial">{percentText(gap)}</Fact>}
        <Fact name="Cambió">{ageText(quote.updatedAt, now)}</Fact>
        <Fact name="Confirmado">
          <AgeMark quote={quote} now={now} />
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: unknown }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children as string}</dd>
    </div>
  )
}

function descriptionOf({ pair, quote }: PairView): string {
  if (!quote) return `${pair.name}: valor, gráfico e historia diaria.`

  const value = pair.singleValue
    ? valueText(quote.sell, pair)
    : `compra ${valueText(quote.buy, pair)}, venta $\u00a0${priceText(quote.sell, pair)}`
  return `${pair.name} hoy: ${value}. Gráfico, variación e historia diaria.`
}
