/** Keeps the value on a pair's page current, and everything that is computed from it. */
import { createClient, type CurrentQuote } from '../../../clients/javascript/index.ts'
import { percentChange } from '../../../shared/market/price.ts'
import {
  percentText,
  rangeText,
  type Units,
  valueText,
  withUnit,
} from '../../../shared/market/spanish-text.ts'
import { find, findAll, put } from './dom.ts'
import {
  flash,
  openClock,
  priceOf,
  putAge,
  putChange,
  shownAfter,
  shownBy,
  showState,
  updateAges,
} from './live-parts.ts'
import { follow } from './live.ts'

const OFFICIAL = 'usd/oficial'
const AGES_MS = 10_000

export function followHeadline(headline: HTMLElement): void {
  const { headline: key = '', type, decimals, now, every } = headline.dataset
  const units = { valueType: type as Units['valueType'], decimals: Number(decimals) }
  const clock = openClock(Number(now), 0)
  const client = createClient({ baseUrl: location.origin })
  const cell = (name: string) =>
    headline.querySelector(`[data-cell="${name}"], [data-fact="${name}"] dd`)
  const pairs = cell('gap') ? [key, OFFICIAL] : [key]
  let shown = shownBy(headline)
  let official = Number.NaN

  /** Shows a value of the stream or the API, unless the page shows a later confirmed value. */
  function putQuote(quote: CurrentQuote) {
    const pair = `${quote.currency}/${quote.origin}`.toLowerCase()
    if (pair === OFFICIAL) official = priceOf(quote.sell)
    if (pair === key && Date.parse(quote.lastScrapedAt) >= shown.confirmed) putOwn(quote)
    if (official) put(cell('gap'), percentText(percentChange(shown.sell, official)))
  }

  function putOwn(quote: CurrentQuote) {
    const next = shownAfter(shown, quote)
    const { change } = quote
    if (next.buy !== shown.buy) flash(cell('buy'), valueText(next.buy, units))
    if (next.sell !== shown.sell) flash(cell('sell'), valueText(next.sell, units))
    putChange(cell('move'), change)
    if (change) put(cell('reference'), valueText(priceOf(change.referenceValue), units))
    const range = withUnit(rangeText(next.low, next.high, units.decimals), units.valueType)
    put(cell('range'), next.low < next.high ? range : 'sin cambios')
    shown = next
    putAge(headline.querySelector('time[data-cell="updated"]'), next.updated, clock.now())
    const time = find<HTMLTimeElement>('[data-fact="confirmed"] time', headline)
    if (putAge(time, next.confirmed, clock.now())) time.nextElementSibling?.remove()
  }

  async function refresh() {
    const quotes = await Promise.all(
      pairs.map((pair) => client.quote(...(pair.split('/') as ['usd', 'blue']))),
    )
    quotes.forEach(putQuote)
  }

  setInterval(() => updateAges(findAll<HTMLTimeElement>('time', headline), clock.now()), AGES_MS)
  follow({ everyMs: Number(every) * 1000, pairs, onQuote: putQuote, refresh, onState: showState })
}
