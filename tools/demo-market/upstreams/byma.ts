import { jsonUpstream } from '../upstream.ts'
import { longClock } from '../writing.ts'
import { bonds } from './bonds.ts'

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
