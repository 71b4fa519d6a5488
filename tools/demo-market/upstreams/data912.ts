import { jsonUpstream } from '../upstream.ts'
import { bonds } from './bonds.ts'

export const data912 = jsonUpstream('data912.com', ({ pathname }, market) =>
  pathname === '/live/arg_bonds'
    ? bonds(market).map(({ symbol, last, bid, ask }) => ({
        symbol,
        q_bid: 1000,
        px_bid: bid,
        px_ask: ask,
        q_ask: 1000,
        v: 1_000_000,
        q_op: 5000,
        c: last,
        pct_change: 0,
      }))
    : null,
)
