/* The value of a pair's page, live, with everything beside it that follows from it. */
import { createClient } from './cotizaciones.js'
import { follow } from './live.js'
import { countAges, flash, openClock, put, putAge, putChange, say } from './live-parts.js'
import { percentAbove, percentText, priceText, valueText } from './quote-text.js'

const OFFICIAL = 'usd/oficial'
const AGES_MS = 10_000
const DAY = 86_400_000
const ARGENTINA = 3 * 3_600_000

export function start(headline) {
  const { headline: key, type: valueType, decimals, now, every } = headline.dataset
  const units = { valueType, decimals: Number(decimals) }
  const clock = openClock(Number(now), 0)
  const client = createClient({ baseUrl: location.origin })
  const cell = (name) => headline.querySelector(`[data-cell="${name}"], [data-fact="${name}"] dd`)
  const pairs = cell('gap') ? [key, OFFICIAL] : [key]
  /** What stands there, in ten-thousandths; NaN is the range of a day without a change. */
  const shown = Object.fromEntries(
    ['buy', 'sell', 'updated', 'low', 'high'].map((name) => [name, Number(headline.dataset[name])]),
  )
  let official = NaN

  /** A value as the stream or the API tells it, unless a newer one stands there. */
  function take(quote) {
    const told = `${quote.currency}/${quote.origin}`.toLowerCase()
    if (told === OFFICIAL) official = priceOf(quote.sell)
    if (told === key && Date.parse(quote.updatedAt) >= shown.updated) takeOwn(quote)
    if (official) put(cell('gap'), percentText(percentAbove(shown.sell, official)))
  }

  function takeOwn({ change, ...quote }) {
    const [buy, sell, updated] = [
      priceOf(quote.buy),
      priceOf(quote.sell),
      Date.parse(quote.updatedAt),
    ]
    const reference = change ? priceOf(change.referenceValue) : sell
    if (buy !== shown.buy) flash(cell('buy'), valueText(buy, units))
    if (sell !== shown.sell) flash(cell('sell'), valueText(sell, units))
    putChange(cell('move'), change)
    if (change) put(cell('reference'), valueText(reference, units))
    const isNewDay = dayOf(updated) !== dayOf(shown.updated)
    widen(isNewDay ? [reference] : [shown.low, shown.high, shown.sell], sell)
    Object.assign(shown, { buy, sell, updated })
    putAge(cell('updated'), updated, clock.now())
    const [time, late] = [...cell('confirmed').children]
    if (putAge(time, Date.parse(quote.lastScrapedAt), clock.now())) late?.remove()
  }

  /** Today's range, of what was in effect and this sell. A new day's begins at yesterday's close. */
  function widen(before, sell) {
    const sells = [sell, ...before.filter(Number.isFinite)]
    const [low, high] = [Math.min(...sells), Math.max(...sells)]
    Object.assign(shown, { low, high })
    if (low < high)
      put(cell('range'), `${valueText(low, units)} a ${priceText(high, units.decimals)}`)
  }

  async function refresh() {
    const quotes = await Promise.all(pairs.map((pair) => client.quote(...pair.split('/'))))
    quotes.forEach(take)
  }

  setInterval(() => countAges(headline.querySelectorAll('time'), clock.now()), AGES_MS)
  follow({ everyMs: Number(every) * 1000, pairs, onQuote: take, refresh, onState: say })
}

function priceOf(value) {
  return Math.round(value * 10_000)
}

/** The Argentine day of an instant, as a number. */
function dayOf(instant) {
  return Math.floor((instant - ARGENTINA) / DAY)
}
