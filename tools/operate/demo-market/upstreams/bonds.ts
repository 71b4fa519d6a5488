import type { Market } from '../market.ts'
import { cut, longClock } from '../writing.ts'
import { jsonUpstream } from '../upstream.ts'

interface Bond {
  symbol: string
  currency: 'ARS' | 'USD' | 'EXT'
  last: number
  bid: number
  ask: number
}

/** The two bonds whose legs give MEP and CCL, 24 hours, prices for 100 nominals. */
export function bonds({ mep, ccl }: Market): Bond[] {
  return [legs('AL30', 54, mep, ccl), legs('GD30', 56.5, mep * 1.001, ccl * 1.001)].flat()
}

function legs(symbol: string, dollars: number, mep: number, ccl: number): Bond[] {
  const pesos = dollars * mep
  const cable = pesos / ccl
  return [
    { symbol, currency: 'ARS', ...book(pesos, 0.0004, 0) },
    { symbol: `${symbol}D`, currency: 'USD', ...book(dollars, 0.0002, 4) },
    { symbol: `${symbol}C`, currency: 'EXT', ...book(cable, 0.012, 4) },
  ]
}

function book(last: number, spread: number, decimals: number) {
  const bid = cut(last * (1 - spread / 2), decimals)
  return { last: cut(last, decimals), bid, ask: cut(last * (1 + spread / 2), decimals) }
}

/** Immediate settlement ("1") stands beside the 24 hours ("2"), as on the real panel. */
export const byma = jsonUpstream('open.bymadata.com.ar', ({ pathname }, market) => {
  if (pathname !== '/vanoms-be-core/rest/api/bymadata/free/public-bonds') return null

  const data = bonds(market).flatMap(({ symbol, currency, last, bid, ask }) =>
    ['1', '2'].map((settlementType) => ({
      symbol,
      settlementType,
      denominationCcy: currency,
      bidPrice: bid,
      offerPrice: ask,
      trade: last,
      closingPrice: last,
      previousClosingPrice: last,
      volume: 1_000_000,
      tradeHour: longClock(market.now),
    })),
  )
  return {
    content: { page_number: 1, page_count: 1, page_size: 500, total_elements_count: data.length },
    data,
  }
})

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
