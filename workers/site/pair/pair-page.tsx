import { raw } from 'hono/html'
import { useContext } from 'hono/jsx'
import {
  argentineDay,
  formatArgentine,
  type Instant,
  type Day,
} from '../../../shared/argentine-time.ts'
import { type Board, quoteOf } from '../../../shared/board/board.ts'
import { AgeMark, ChangeMark, Crumbs, Fact, ModeBanner } from '../board/marks.tsx'
import { type PairView, type QuoteView, dayRange } from '../board/quote-view.ts'
import { pairPath, valuesText } from '../board/words.ts'
import { PAIR_NOTES, pairKey, type Pair } from '../../../shared/market/catalog.ts'
import { numberToPrice, priceToNumber } from '../../../shared/market/price.ts'
import { Layout, Origin } from '../layout.tsx'
import { ChartCard } from './chart-card.tsx'
import { DailyTable } from './daily-table.tsx'
import type { Charts } from './read-charts.ts'
import {
  ageText,
  percentText,
  rangeText,
  shownDecimals,
  unitsOf,
  valueText,
  withUnit,
} from '../../../shared/market/spanish-text.ts'

interface PairPageProps {
  board: Board
  view: PairView
  charts: Charts
  now: Instant
}

export function PairPage({ board, view, charts, now }: PairPageProps) {
  const { pair, quote } = view
  const path = pairPath(pair)
  const origin = useContext(Origin)
  const url = `${origin}${path}`
  const description = descriptionOf(view)
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
        <Headline board={board} view={view} quote={quote} charts={charts} now={now} />
      ) : (
        <p class="empty">Esta cotización todavía no tiene datos.</p>
      )}
      {note && <p class="muted">{note}</p>}
      <ChartCard board={board} view={view} charts={charts} now={now} />
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

interface HeadlineProps extends Pick<PairPageProps, 'board' | 'view' | 'charts' | 'now'> {
  quote: QuoteView
}

/**
 * The part that the page's script updates: its state in `data-`, its values by `data-cell`. Beside it
 * stands unseen the official dollar, from which the gap follows.
 */
function Headline({ board, view: { pair }, quote, charts, now }: HeadlineProps) {
  const { change, gap } = quote
  const range = dayRange(quote, charts.recent, now)
  const official = gap !== null && quoteOf(board, 'USD', 'OFICIAL')
  return (
    <>
      <section
        class="headline"
        aria-label="Valor actual"
        data-pair={pairPath(pair).slice(1)}
        data-type={pair.valueType}
        data-decimals={shownDecimals(pair)}
        data-buy={quote.buy}
        data-sell={quote.sell}
        data-updated={quote.updatedAt}
        data-confirmed={quote.lastScrapedAt}
        data-low={range?.low}
        data-high={range?.high}
        data-now={now}
        data-every={board.everySeconds}
      >
        <p class="headline-value">
          {!pair.singleValue && <span class="headline-side">Venta</span>}
          <strong data-cell="sell">{valueText(quote.sell, unitsOf(pair))}</strong>
          <span data-cell="move">{change && <ChangeMark change={change} />}</span>
        </p>
        <dl class="facts">
          {!pair.singleValue && (
            <Fact name="Compra" cell="buy">
              {valueText(quote.buy, unitsOf(pair))}
            </Fact>
          )}
          <Fact name="Cierre de ayer" cell="reference">
            {change ? valueText(numberToPrice(change.referenceValue), unitsOf(pair)) : '—'}
          </Fact>
          <Fact name="Rango de hoy" cell="range">
            {range
              ? withUnit(rangeText(range.low, range.high, shownDecimals(pair)), pair.valueType)
              : 'sin cambios'}
          </Fact>
          {gap !== null && (
            <Fact name="Brecha con el oficial" cell="gap">
              {percentText(gap)}
            </Fact>
          )}
          <Fact name="Cambió" cell="updated">
            <time datetime={formatArgentine(quote.updatedAt)}>{ageText(quote.updatedAt, now)}</time>
          </Fact>
          <Fact name="Confirmado" cell="age">
            <AgeMark quote={quote} now={now} />
          </Fact>
        </dl>
      </section>
      <p class="live-state" role="status" data-live="">
        {valuesText(board, now)}
      </p>
      {official && (
        <span data-pair="usd/oficial" data-sell={numberToPrice(official.sell)} hidden></span>
      )}
    </>
  )
}

function descriptionOf({ pair, quote }: PairView): string {
  if (!quote) return `${pair.name}: valor, gráfico e historia diaria.`

  const value = pair.singleValue
    ? valueText(quote.sell, unitsOf(pair))
    : `compra ${valueText(quote.buy, unitsOf(pair))}, venta ${valueText(quote.sell, unitsOf(pair))}`
  return `${pair.name} hoy: ${value}. Gráfico, variación e historia diaria.`
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

/** A plain form for another day, which leads to the day's address. */
export function DateForm({ pair, day, now }: { pair: Pair; day?: Day; now: Instant }) {
  return (
    <form class="date-form" method="get" action={`${pairPath(pair)}/fecha`}>
      <label for="dia">¿Cuánto valía otro día?</label>
      <div class="field-row">
        <input id="dia" name="dia" type="date" required max={argentineDay(now)} value={day ?? ''} />
        <button type="submit">Ver ese día</button>
      </div>
    </form>
  )
}
