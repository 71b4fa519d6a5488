/** The board for pages: every pair of the catalogue, with the values derived from its quote. */
import { type Instant, MINUTE_MS, startOfDay } from '../../../shared/argentine-time.ts'
import { type Board, type BoardQuote, quoteOf } from '../../../shared/board/board.ts'
import { CURRENCIES, type Currency, type Pair, pairsOf } from '../../../shared/market/catalog.ts'
import { type Change, changeOfDay } from '../../../shared/market/change.ts'
import { isFresh } from '../../../shared/market/market-hours.ts'
import { numberToPrice, percentChange, type Price } from '../../../shared/market/price.ts'
import type { RecentPoint } from '../../../shared/board/charts.ts'
import { shownDecimals } from '../../../shared/market/spanish-text.ts'
import { pairPath } from './words.ts'

export interface QuoteView {
  buy: Price
  sell: Price
  /** The change since yesterday's close; null for a pair without a value before today. */
  change: Change | null
  /** Percent above the official dollar's sell; null unless the pair is another dollar. */
  gap: number | null
  updatedAt: Instant
  lastScrapedAt: Instant
  fresh: boolean
}

/** A pair, and its quote unless it was never quoted. */
export interface PairView {
  pair: Pair
  quote: QuoteView | null
}

export interface GroupView {
  currency: Currency
  pairs: PairView[]
}

export function groupsOf(board: Board, now: Instant): GroupView[] {
  return CURRENCIES.map((currency) => ({
    currency,
    pairs: pairsOf(currency)!.map((pair) => viewOf(board, pair, now)),
  }))
}

export function viewOf(board: Board, pair: Pair, now: Instant): PairView {
  const quote = quoteOf(board, pair.currency, pair.origin)
  return { pair, quote: quote ? quoteView(board, pair, quote, now) : null }
}

function quoteView(board: Board, pair: Pair, quote: BoardQuote, now: Instant): QuoteView {
  const buy = numberToPrice(quote.buy)
  const sell = numberToPrice(quote.sell)
  const updatedAt = Date.parse(quote.updatedAt)
  const lastScrapedAt = Date.parse(quote.lastScrapedAt)
  const referenceSell = quote.referenceSell === null ? null : numberToPrice(quote.referenceSell)
  const change = changeOfDay({ sell, updatedAt, referenceSell }, now)
  const fresh = isFresh(pair, lastScrapedAt, now, {
    everySource: board.mode !== 'live',
    tableDay: board.tableDay,
    tradedDay: board.tradedDay,
    decreed: board.decreed,
  })
  return { buy, sell, change, gap: gapOf(board, pair, sell), updatedAt, lastScrapedAt, fresh }
}

function gapOf(board: Board, pair: Pair, sell: Price): number | null {
  if (pair.currency !== 'USD' || pair.origin === 'OFICIAL') return null

  const official = quoteOf(board, 'USD', 'OFICIAL')
  return official ? percentChange(sell, numberToPrice(official.sell)) : null
}

/** The attributes by which a page's script reads a quote. */
export function dataOf({ pair, quote }: PairView, range: DayRange | null) {
  return {
    'data-pair': pairPath(pair).slice(1),
    'data-decimals': shownDecimals(pair),
    'data-buy': quote?.buy,
    'data-sell': quote?.sell,
    'data-updated': quote?.updatedAt,
    'data-confirmed': quote?.lastScrapedAt,
    'data-low': range?.low,
    'data-high': range?.high,
  }
}

interface DayRange {
  low: Price
  high: Price
}

/**
 * The lowest and highest sell of today, counting the value at midnight, as candles do; null when
 * there was no change today.
 */
export function dayRange(
  { sell, change }: Pick<QuoteView, 'sell' | 'change'>,
  recent: readonly RecentPoint[],
  now: Instant,
): DayRange | null {
  const midnight = startOfDay(now) / MINUTE_MS
  const today = recent.filter(([minute]) => minute >= midnight).map(([, price]) => price)
  const sells = [...today, sell, ...(change ? [numberToPrice(change.referenceValue)] : [])]
  const range = { low: Math.min(...sells), high: Math.max(...sells) }
  return range.low === range.high ? null : range
}
