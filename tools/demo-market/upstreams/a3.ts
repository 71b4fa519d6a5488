import { jsonUpstream } from '../upstream.ts'
import { contracts } from './contracts.ts'

/** Settlements of the last session; `dateTime` is the trade date. */
export const a3 = jsonUpstream('apicem.matbarofex.com.ar', ({ pathname }, market) =>
  pathname === '/api/v2/closing-prices'
    ? {
        data: contracts(market).map(({ symbol, price }) => ({
          symbol,
          dateTime: `${market.lastClose}T00:00:00.000Z`,
          close: price,
          settlement: price,
          volume: 300_000,
          openInterest: 900_000,
        })),
      }
    : null,
)
