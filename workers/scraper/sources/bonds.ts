import * as z from 'zod/mini'
import { BOND_HOURS } from '../../../shared/market/market-hours.ts'
import { get, json, JSON_HEADERS, USER_AGENT } from './document.ts'
import { positiveOrNull } from './number-text.ts'
import { emptyError, formatError, type Reading, type Source } from './source.ts'

/** The tickers of a bond in pesos, in dollars (`D`, for MEP) and in cable (`C`, for CCL). */
export interface BondTickers {
  pesos: string
  mep: string
  ccl: string
}

/** Matures on 9 July 2030: replace this bond before then. Coupons do not affect the ratio. */
export const MAIN_BOND: BondTickers = { pesos: 'AL30', mep: 'AL30D', ccl: 'AL30C' }

/** The bond under New York law, with which the main bond's ratio is compared. */
export const CHECK_BOND: BondTickers = { pesos: 'GD30', mep: 'GD30D', ccl: 'GD30C' }

/** The symbols to read from a panel of hundreds. */
const SYMBOLS = new Set([MAIN_BOND, CHECK_BOND].flatMap((bond) => Object.values(bond) as string[]))

/** Our books in a panel. Fails as `format` if a symbol is repeated, as `empty` without a price. */
function booksOf(panel: readonly Omit<Extract<Reading, { kind: 'book' }>, 'kind'>[]): Reading[] {
  const books = panel.filter(({ symbol }) => SYMBOLS.has(symbol))
  if (new Set(books.map(({ symbol }) => symbol)).size < books.length)
    throw formatError('has a bond twice')
  if (books.every(({ last, bid, ask }) => !last && !bid && !ask))
    throw emptyError('has no price of our bonds')

  return books.map((book) => ({ kind: 'book', ...book }))
}

const SITE = 'https://open.bymadata.com.ar'
const BYMA = `${SITE}/vanoms-be-core/rest/api/bymadata/free/public-bonds`
const HEADERS = {
  'Content-Type': 'application/json',
  'User-Agent': USER_AGENT,
  Origin: SITE,
  Referer: `${SITE}/`,
}
const PANEL = {
  excludeZeroPxAndQty: false,
  T2: false,
  T1: true,
  T0: false,
  page_number: 1,
  page_size: 500,
}

const row = z.object({
  symbol: z.string(),
  settlementType: z.coerce.string(),
  trade: z.nullish(z.number()),
  closingPrice: z.nullish(z.number()),
  bidPrice: z.nullish(z.number()),
  offerPrice: z.nullish(z.number()),
  volume: z.nullish(z.number()),
})
const payload = z.union([z.object({ data: z.array(row) }), z.array(row)])

/** The code of settlement after 24 hours. "1" is immediate settlement. */
const NEXT_DAY = '2'

/**
 * The exchange's public panel, some 20 minutes late. `closingPrice` is the last price of the day.
 * While the market is closed, the price and the book are zero. Some panels are a bare array.
 */
export const byma: Source = {
  ...get('byma-bonds', 5, BOND_HOURS, BYMA),
  request: () => ({
    url: BYMA,
    method: 'POST',
    headers: { ...JSON_HEADERS, ...HEADERS },
    body: JSON.stringify(PANEL),
  }),
  parse: json(payload, (document) =>
    booksOf(
      (Array.isArray(document) ? document : document.data)
        .filter(({ settlementType }) => settlementType === NEXT_DAY)
        .map(({ symbol, volume, trade, closingPrice, bidPrice, offerPrice }) => ({
          symbol,
          last: volume === 0 ? null : (positiveOrNull(trade) ?? positiveOrNull(closingPrice)),
          bid: positiveOrNull(bidPrice),
          ask: positiveOrNull(offerPrice),
        })),
    ),
  ),
}

const panel = z.array(
  z.object({
    symbol: z.string(),
    px_bid: z.number(),
    px_ask: z.number(),
    c: z.number(),
    v: z.number(),
  }),
)

/** BYMA's bonds, without times. If the volume is zero, `c` is the close of an earlier day. */
export const data912: Source = {
  ...get('data912-bonds', 5, BOND_HOURS, 'https://data912.com/live/arg_bonds'),
  parse: json(panel, (rows) =>
    booksOf(
      rows.map(({ symbol, px_bid: bid, px_ask: ask, c, v }) => ({
        symbol,
        last: v > 0 ? positiveOrNull(c) : null,
        bid: positiveOrNull(bid),
        ask: positiveOrNull(ask),
      })),
    ),
  ),
}
