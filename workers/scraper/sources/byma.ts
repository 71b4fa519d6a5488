import * as z from 'zod/mini'
import { BOND_HOURS } from '../../../shared/market/market-hours.ts'
import { BYMA_BONDS } from './addresses.ts'
import { BOND_SYMBOLS } from './parsing/bond-tickers.ts'
import { booksOf } from './parsing/books.ts'
import { USER_AGENT } from './parsing/browser.ts'
import { parseJson } from './parsing/json.ts'
import { positiveOrNull } from './parsing/number-text.ts'
import type { Source } from './source.ts'

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
