import * as z from 'zod/mini'
import { BOND_HOURS } from '../../../shared/market/market-hours.ts'
import { DATA912_BONDS } from './addresses.ts'
import { BOND_SYMBOLS } from './parsing/bond-tickers.ts'
import { booksOf } from './parsing/books.ts'
import { JSON_HEADERS } from './parsing/browser.ts'
import { parseJson } from './parsing/json.ts'
import { positiveOrNull } from './parsing/number-text.ts'
import type { Source } from './source.ts'

const payload = z.array(
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
    const ours = parseJson(body, payload).filter((bond) => BOND_SYMBOLS.has(bond.symbol))
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
