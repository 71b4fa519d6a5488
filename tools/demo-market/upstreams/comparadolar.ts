import { jsonUpstream } from '../upstream.ts'
import { exchanges } from './criptoya.ts'

/** The same exchanges; one of them writes its time in milliseconds, as one always does. */
export const comparadolar = jsonUpstream('api.comparadolar.ar', ({ pathname }, market) =>
  pathname === '/usdt'
    ? Object.entries(exchanges(market)).map(([slug, offer]) => ({
        id: slug,
        slug,
        prettyName: slug,
        ...offer,
        time: slug === 'fiwind' ? market.now : offer.time,
      }))
    : null,
)
