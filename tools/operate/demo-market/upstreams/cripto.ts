import type { Market } from '../market.ts'
import { jsonUpstream } from '../upstream.ts'
import { cut } from '../writing.ts'

/** Numbers, epoch seconds; `ask` is what the buyer pays. An unknown pair answers its odd 200. */
export const criptoya = jsonUpstream('criptoya.com', ({ pathname }, market) => {
  switch (pathname) {
    case '/api/USDT/ARS/1000':
      return exchanges(market)
    case '/api/dolar':
      return dollars(market)
    case '/api/bancostodos':
      return banks(market)
    case '/api/cer':
      return { time: seconds(market), value: cut(market.cer(market.today)) }
    case '/api/uva':
      return { time: seconds(market), value: cut(market.uva(market.today)) }
    default:
      return { error: 'Invalid pair' }
  }
})

/** Five exchanges around the market, and a P2P desk without offers, as there always is one. */
export function exchanges(market: Market) {
  const { buy, sell } = market.cripto
  const offer = (ask: number, bid: number, fee: number) => ({
    ask: cut(ask),
    totalAsk: cut(ask * (1 + fee)),
    bid: cut(bid),
    totalBid: cut(bid * (1 - fee)),
    time: seconds(market),
  })
  return {
    fiwind: offer(sell * 0.999, buy * 1.001, 0.001),
    belo: offer(sell, buy, 0),
    buenbit: offer(sell * 1.003, buy * 0.997, 0.001),
    ripio: offer(sell * 1.001, buy * 0.999, 0),
    binancep2p: offer(sell * 0.998, buy * 1.002, 0),
    huobip2p: { ...offer(sell, buy, 0), ask: 0, totalAsk: 0 },
  }
}

function dollars(market: Market) {
  const { blue, mep, ccl, cripto, mayorista, bna } = market
  const timestamp = seconds(market)
  const price = (value: number) => ({ price: cut(value), variation: 0, timestamp })
  const book = (ask: number, bid: number) => ({
    ask: cut(ask),
    bid: cut(bid),
    variation: 0,
    timestamp,
  })
  const terms = (value: number) => ({ '24hs': price(value), ci: price(value) })
  const bonds = (value: number) => ({ al30: terms(value), gd30: terms(value) })

  return {
    mayorista: price(mayorista.sell),
    oficial: price(bna.sell),
    tarjeta: price(bna.sell * 1.3),
    blue: book(blue.sell, blue.buy),
    cripto: { usdt: book(cripto.sell, cripto.buy), usdc: book(cripto.sell, cripto.buy) },
    mep: bonds(mep),
    ccl: bonds(ccl),
  }
}

/** One bank has not spoken for months. */
function banks(market: Market) {
  const { bna, oficial } = market
  const bank = (ask: number, bid: number, time = seconds(market)) => ({
    ask: cut(ask),
    totalAsk: cut(ask),
    bid: cut(bid),
    totalBid: cut(bid),
    time,
  })
  return {
    bna: bank(bna.sell, bna.buy),
    galicia: bank(oficial.sell, oficial.buy),
    santander: bank(oficial.sell + 2, oficial.buy - 2),
    bbva: bank(oficial.sell - 2, oficial.buy + 2),
    bapro: bank(oficial.sell * 0.94, oficial.buy * 0.94, seconds(market) - 150 * 86_400),
  }
}

function seconds({ now }: Market): number {
  return Math.floor(now / 1000)
}

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
