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
import { dayRange } from '../board/day-range.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { DateForm } from '../date/date-form.tsx'
import { Fact } from '../board/fact.tsx'
import type { ChartChoices } from './chart-choices.ts'
import { PICTURE } from './share-picture.ts'
import { Layout } from '../layout.tsx'
import { ChartCard } from './chart-card.tsx'
import { DailyTable } from './daily-table.tsx'
import { jsonLd } from './json-ld.ts'
import type { Charts } from './read-charts.ts'

export interface PairPageProps {
  board: Board
  view: PairView
  charts: Charts
  choices: ChartChoices
  now: Instant
  origin: string
}

export function PairPage({ board, view, charts, choices, now, origin }: PairPageProps) {
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
          <meta property="og:image" content={`${url}/imagen.png`} />
          <meta property="og:image:width" content={String(PICTURE.width)} />
          <meta property="og:image:height" content={String(PICTURE.height)} />
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
        <Headline view={view} quote={quote} charts={charts} now={now} />
      ) : (
        <p class="empty">Esta cotización todavía no tiene datos.</p>
      )}
      <ChartCard board={board} view={view} charts={charts} choices={choices} now={now} />
      <DateForm pair={pair} now={now} />
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
  charts,
  now,
}: {
  view: PairView
  quote: QuoteView
  charts: Charts
  now: Instant
}) {
  const { change, gap } = quote
  const range = dayRange(quote, charts.recent, now)
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
          {change ? valueText(numberToPrice(change.referenceValue), pair) : '—'}
        </Fact>
        {range && (
          <Fact name="Rango de hoy">
            {valueText(range.low, pair)} a {priceText(range.high, pair)}
          </Fact>
        )}
        {gap !== null && <Fact name="Brecha con el oficial">{percentText(gap)}</Fact>}
        <Fact name="Cambió">{ageText(quote.updatedAt, now)}</Fact>
        <Fact name="Confirmado">
          <AgeMark quote={quote} now={now} />
        </Fact>
      </dl>
    </section>
  )
}

function descriptionOf({ pair, quote }: PairView): string {
  if (!quote) return `${pair.name}: valor, gráfico e historia diaria.`

  const value = pair.singleValue
    ? valueText(quote.sell, pair)
    : `compra ${valueText(quote.buy, pair)}, venta $\u00a0${priceText(quote.sell, pair)}`
  return `${pair.name} hoy: ${value}. Gráfico, variación e historia diaria.`
}
