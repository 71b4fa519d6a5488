/* The value of a pair's page, live, and what follows from it. */
import { createClient } from './cotizaciones.js'
import { follow } from './live.js'
import {
  updateAges,
  flash,
  openClock,
  put,
  putAge,
  putChange,
  rangeWith,
  showState,
} from './live-parts.js'
import { percentAbove, percentText, priceText, valueText } from './quote-text.js'

const OFFICIAL = 'usd/oficial'
const AGES_MS = 10_000

export function start(headline) {
  const { headline: key, type: valueType, decimals, now, every } = headline.dataset
  const units = { valueType, decimals: Number(decimals) }
  const clock = openClock(Number(now), 0)
  const client = createClient({ baseUrl: location.origin })
  const cell = (name) => headline.querySelector(`[data-cell="${name}"], [data-fact="${name}"] dd`)
  const pairs = cell('gap') ? [key, OFFICIAL] : [key]
  /** What is shown, prices in ten-thousandths; the range is NaN on a day without a change. */
  const shown = Object.fromEntries(
    ['buy', 'sell', 'updated', 'confirmed', 'low', 'high'].map((name) => [
      name,
      Number(headline.dataset[name]),
    ]),
  )
  let official = NaN

  /** Shows a value of the stream or the API, unless a later confirmed one is shown. */
  function putQuote(quote) {
    const pair = `${quote.currency}/${quote.origin}`.toLowerCase()
    if (pair === OFFICIAL) official = priceOf(quote.sell)
    if (pair === key && Date.parse(quote.lastScrapedAt) >= shown.confirmed) putOwn(quote)
    if (official) put(cell('gap'), percentText(percentAbove(shown.sell, official)))
  }

  function putOwn({ change, ...quote }) {
    const [buy, sell] = [priceOf(quote.buy), priceOf(quote.sell)]
    const [updated, confirmed] = [quote.updatedAt, quote.lastScrapedAt].map(Date.parse)
    if (buy !== shown.buy) flash(cell('buy'), valueText(buy, units))
    if (sell !== shown.sell) flash(cell('sell'), valueText(sell, units))
    putChange(cell('move'), change)
    if (change) put(cell('reference'), valueText(priceOf(change.referenceValue), units))
    putRange(rangeWith(shown, { sell, updated, change }))
    Object.assign(shown, { buy, sell, updated, confirmed })
    putAge(cell('updated'), updated, clock.now())
    const [time, late] = [...cell('confirmed').children]
    if (putAge(time, confirmed, clock.now())) late?.remove()
  }

  function putRange({ low, high }) {
    Object.assign(shown, { low, high })
    const text = `${valueText(low, units)} a ${priceText(high, units.decimals)}`
    put(cell('range'), low < high ? text : 'sin cambios')
  }

  async function refresh() {
    const quotes = await Promise.all(pairs.map((pair) => client.quote(...pair.split('/'))))
    quotes.forEach(putQuote)
  }

  setInterval(() => updateAges(headline.querySelectorAll('time'), clock.now()), AGES_MS)
  follow({ everyMs: Number(every) * 1000, pairs, onQuote: putQuote, refresh, onState: showState })
}

function priceOf(value) {
  return Math.round(value * 10_000)
}
