import { jsonUpstream } from '../upstream.ts'

/** Prices are texts with decimal point. */
export const belo = jsonUpstream('api.belo.app', ({ pathname }, { cripto }) =>
  pathname === '/public/price'
    ? [
        {
          baseId: 1,
          quoteId: 2,
          pairCode: 'USDT/ARS',
          ask: cripto.sell.toFixed(2),
          bid: cripto.buy.toFixed(2),
        },
      ]
    : null,
)
