import * as z from 'zod/mini'
import type { Big } from 'big.js'
import { BOND_HOURS } from '../../../shared/market/market-hours.ts'
import { BYMA_BONDS, DATA912_BONDS } from './addresses.ts'
import { JSON_HEADERS, USER_AGENT } from './parsing/browser.ts'
import { parseJson } from './parsing/json.ts'
import { positiveOrNull } from './parsing/number-text.ts'
import { emptyError, formatError } from './parsing/source-error.ts'
import type { Reading, Source } from './source.ts'

/** The bonds whose two legs give the MEP and CCL dollars: `D` settles in dollars, `C` in cable. */
export interface BondTickers {
  pesos: string
  mep: string
  ccl: string
}

/** Matures on 9 July 2030: choose another before then. Its coupons do not touch the ratio. */
export const MAIN_BOND: BondTickers = { pesos: 'AL30', mep: 'AL30D', ccl: 'AL30C' }

/** Under New York law. The main bond is checked against it. */
export const CHECK_BOND: BondTickers = { pesos: 'GD30', mep: 'GD30D', ccl: 'GD30C' }

/** The symbols to read from a panel of hundreds. */
export const BOND_SYMBOLS: ReadonlySet<string> = new Set(
  [MAIN_BOND, CHECK_BOND].flatMap((bond) => Object.values(bond)),
)

interface Book {
  symbol: string
  last: Big | null
  bid: Big | null
  ask: Big | null
}

/** The books of a panel: a symbol twice is `format`, no price at all (a closed market) `empty`. */
export function booksOf(books: readonly Book[]): Reading[] {
  const symbols = books.map(({ symbol }) => symbol)
  if (new Set(symbols).size < symbols.length) throw formatError('has a bond twice')
  if (books.every(({ last, bid, ask }) => !last && !bid && !ask)) {
    throw emptyError('has no price of our bonds')
  }
  return books.map((book) => ({ kind: 'book', ...book }))
}

const SITE = 'https://open.bymadata.com.ar'

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

/** 24 hours; "1" is immediate. */
const NEXT_DAY = '2'

/**
 * The exchange's open panel, some 20 minutes late. `closingPrice` is the running price of the day;
 * with the market closed it and the book are zero. Some panels return a bare array.
 */
export const byma: Source = {
  name: 'byma-bonds',
  rhythm: { everyMinutes: 5, hours: BOND_HOURS },
  request: () => ({
    url: BYMA_BONDS,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': USER_AGENT,
      Origin: SITE,
      Referer: `${SITE}/`,
    },
    body: JSON.stringify({
      excludeZeroPxAndQty: false,
      T2: false,
      T1: true,
      T0: false,
      page_number: 1,
      page_size: 500,
    }),
  }),
  parse(body) {
    const parsed = parseJson(body, payload)
    const rows = Array.isArray(parsed) ? parsed : parsed.data
    const ours = rows.filter((bond) => BOND_SYMBOLS.has(bond.symbol))
    return booksOf(
      ours
        .filter((bond) => bond.settlementType === NEXT_DAY)
        .map((bond) => ({
          symbol: bond.symbol,
          last:
            bond.volume === 0
              ? null
              : (positiveOrNull(bond.trade) ?? positiveOrNull(bond.closingPrice)),
          bid: positiveOrNull(bond.bidPrice),
          ask: positiveOrNull(bond.offerPrice),
        })),
    )
  },
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

/** BYMA's bonds, without times. `c` without volume is the close of an earlier day. */
export const data912: Source = {
  name: 'data912-bonds',
  rhythm: { everyMinutes: 5, hours: BOND_HOURS },
  request: () => ({ url: DATA912_BONDS, headers: JSON_HEADERS }),
  parse(body) {
    const ours = parseJson(body, panel).filter((bond) => BOND_SYMBOLS.has(bond.symbol))
    return booksOf(
      ours.map((bond) => ({
        symbol: bond.symbol,
        last: bond.v > 0 ? positiveOrNull(bond.c) : null,
        bid: positiveOrNull(bond.px_bid),
        ask: positiveOrNull(bond.px_ask),
      })),
    )
  },
}
