import { raw } from 'hono/html'
import { useContext } from 'hono/jsx'
import { argentineDay, formatArgentine, type Day } from '../../../shared/argentine-time.ts'
import { type Board, quoteOf } from '../../../shared/board/board.ts'
import { ConfirmedAge, DayChange, Crumbs, Fact, Headline, ModeBanner } from '../board/elements.tsx'
import { dataOf, type PairView, type QuoteView, dayRange } from '../board/quote-view.ts'
import { bothSides, dayRangeText, pairPath, valuesText } from '../board/words.ts'
import { PAIR_NOTES, pairKey, type Pair } from '../../../shared/market/catalog.ts'
import { numberToPrice, priceToNumber } from '../../../shared/market/price.ts'
import { Layout, Now, Origin } from '../layout.tsx'
import { ChartCard } from './chart-card.tsx'
import { DailyTable } from './daily-table.tsx'
import type { Charts } from './read-charts.ts'
import { ageText, percentText, unitsOf, valueText } from '../../../shared/market/spanish-text.ts'

interface PairPageProps {
  board: Board
  view: PairView
  charts: Charts
}

export function PairPage({ board, view, charts }: PairPageProps) {
  const { pair, quote } = view
  const path = pairPath(pair)
  const origin = useContext(Origin)
  const url = `${origin}${path}`
  const description = quote
    ? `${pair.name} hoy: ${bothSides(pair, quote)}. Gráfico, variación e historia diaria.`
    : `${pair.name}: valor, gráfico e historia diaria.`
  const note = PAIR_NOTES[pairKey(pair)]

  return (
    <Layout
      title={`${pair.name} hoy`}
      description={description}
      path={path}
      script="pair"
      head={
        <>
          <meta property="og:type" content="website" />
          <meta property="og:title" content={`${pair.name} hoy`} />
          <meta property="og:description" content={description} />
          <meta property="og:url" content={url} />
          <meta property="og:image" content={`${origin}/static/share.png`} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta name="twitter:card" content="summary_large_image" />
          <script type="application/ld+json">{raw(jsonLd(view, url))}</script>
        </>
      }
    >
      <ModeBanner mode={board.mode} />
      <Crumbs pair={pair} />
      <h1>{pair.name}</h1>
      {quote ? (
        <Value board={board} view={view} quote={quote} charts={charts} />
      ) : (
        <p class="empty">Esta cotización todavía no tiene datos.</p>
      )}
      {note && <p class="muted">{note}</p>}
      <ChartCard board={board} view={view} charts={charts} />
      <DateForm pair={pair} />
      <DailyTable pair={pair} charts={charts} quote={quote} />
      <p class="pair-links">
        <a href={`/api/v2${path}`}>Leerla por la API</a>
        <a href={`/embed${path}`}>Tarjeta para insertar</a>
        <a href={`/badge${path}.svg`}>Insignia SVG</a>
      </p>
    </Layout>
  )
}

/**
 * The part that the page's script updates: state in `data-` attributes, values by `data-cell`. A
 * hidden element holds the official dollar, from which the script computes the gap.
 */
function Value({ board, view, quote, charts }: PairPageProps & { quote: QuoteView }) {
  const { pair } = view
  const { change, gap, updatedAt } = quote
  const [now, units] = [useContext(Now), unitsOf(pair)]
  const range = dayRange(quote, charts.recent, now)
  const official = gap !== null && quoteOf(board, 'USD', 'OFICIAL')
  const data = {
    ...dataOf(view, range),
    'data-type': pair.valueType,
    'data-now': now,
    'data-every': board.everySeconds,
  }
  return (
    <>
      <Headline
        label="Valor actual"
        side={!pair.singleValue && 'Venta'}
        value={valueText(quote.sell, units)}
        aside={change && <DayChange change={change} />}
        data={data}
      >
        {!pair.singleValue && (
          <Fact name="Compra" cell="buy">
            {valueText(quote.buy, units)}
          </Fact>
        )}
        <Fact name="Cierre de ayer" cell="reference">
          {change ? valueText(numberToPrice(change.referenceValue), units) : '—'}
        </Fact>
        <Fact name="Rango de hoy" cell="range">
          {dayRangeText(pair, range)}
        </Fact>
        {gap !== null && (
          <Fact name="Brecha con el oficial" cell="gap">
            {percentText(gap)}
          </Fact>
        )}
        <Fact name="Cambió" cell="updated">
          <time datetime={formatArgentine(updatedAt)}>{ageText(updatedAt, now)}</time>
        </Fact>
        <Fact name="Confirmado" cell="age">
          <ConfirmedAge quote={quote} />
        </Fact>
      </Headline>
      <p class="live-state" role="status" data-live="">
        {valuesText(board, now)}
      </p>
      {official && (
        <span data-pair="usd/oficial" data-sell={numberToPrice(official.sell)} hidden></span>
      )}
    </>
  )
}

/** Structured data of a pair for search engines, as JSON that is safe inside a script element. */
function jsonLd({ pair, quote }: PairView, url: string): string {
  const price = quote ? priceToNumber(quote.sell) : undefined
  const about =
    pair.currency === 'ARG'
      ? { '@type': 'Observation', value: price, unitText: pair.valueType }
      : {
          '@type': 'ExchangeRateSpecification',
          currency: pair.currency,
          currentExchangeRate: { '@type': 'UnitPriceSpecification', price, priceCurrency: 'ARS' },
        }

  return JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'WebPage',
    name: `${pair.name} hoy`,
    url,
    inLanguage: 'es-AR',
    dateModified: quote ? formatArgentine(quote.updatedAt) : undefined,
    mainEntity: { name: pair.name, ...about },
  }).replaceAll('<', String.raw`\u003c`)
}

/** A plain form that leads to the page of another day. */
export function DateForm({ pair, day = '' }: { pair: Pair; day?: Day }) {
  const today = argentineDay(useContext(Now))
  return (
    <form class="date-form" method="get" action={`${pairPath(pair)}/fecha`}>
      <label for="dia">¿Cuánto valía otro día?</label>
      <div class="field-row">
        <input id="dia" name="dia" type="date" required max={today} value={day} />
        <button type="submit">Ver ese día</button>
      </div>
    </form>
  )
}
