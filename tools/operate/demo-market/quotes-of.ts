import { median } from 'simple-statistics'
import { findPairByKey, type Pair } from '../../../shared/market/catalog.ts'
import { type Price, PRICE_SCALE } from '../../../shared/market/price.ts'
import { type Market, type Sides, times } from './market.ts'
import { bonds } from './upstreams/bonds.ts'
import { contracts } from './upstreams/futures.ts'
import { exchanges } from './upstreams/cripto.ts'
import { crosses } from './upstreams/dolarapi.ts'
import { cut } from './writing.ts'

/**
 * What a cycle makes of the market at that moment: the quote of each pair's first source, without
 * writing and reading its document. A test holds the two together.
 */
export function quotesOf(market: Market): ReadonlyMap<Pair, { buy: Price; sell: Price }> {
  const quotes = Object.entries(sidesOf(market)).map(([key, { buy, sell }]) => {
    const pair = findPairByKey(key)!
    const price = (value: number) => Math.round(cut(value, pair.decimals) * PRICE_SCALE)
    return [pair, { buy: price(buy), sell: price(sell) }] as const
  })
  return new Map(quotes)
}

function sidesOf(market: Market): Record<string, Sides> {
  const { bna, mayorista, riesgo, cer, uva, today } = market
  const front = contracts(market)[0]!.price
  const [, , clp, uyu] = crosses(market)
  return {
    'USD/OFICIAL': market.oficial,
    'USD/BNA': bna,
    'USD/BLUE': market.blue,
    'USD/MAYORISTA': mayorista,
    ...bondRatios(market),
    'USD/CRIPTO': medianOffer(market),
    'USD/TARJETA': times(bna, 1.3),
    'USD/FUTURO': { buy: front - 0.5, sell: front + 0.5 },
    'EUR/OFICIAL': printed(times(mayorista, market.eurUsd)),
    'EUR/BNA': market.bnaEuro,
    'EUR/BLUE': printed(times(market.blue, 1.16)),
    'BRL/OFICIAL': printed(times(mayorista, 1 / market.brlPerUsd)),
    'BRL/BNA': market.bnaReal,
    'CLP/OFICIAL': clp!,
    'UYU/OFICIAL': uyu!,
    'ARG/RIESGO': both(riesgo),
    'ARG/CER': both(cer(today)),
    'ARG/UVA': both(uva(today)),
  }
}

/** MEP from the books, CCL from the last trades. */
function bondRatios(market: Market): Record<string, Sides> {
  const [pesos, dollars, cable] = bonds(market)
  return {
    'USD/BOLSA': { buy: pesos!.bid / dollars!.ask, sell: pesos!.ask / dollars!.bid },
    'USD/CCL': both(pesos!.last / cable!.last),
  }
}

function medianOffer(market: Market): Sides {
  const offers = Object.values(exchanges(market)).filter(({ ask }) => ask > 0)
  return {
    buy: median(offers.map(({ totalBid }) => totalBid)),
    sell: median(offers.map(({ totalAsk }) => totalAsk)),
  }
}

/** With two decimals, as Ámbito prints: fewer than the pair keeps. */
function printed({ buy, sell }: Sides): Sides {
  return { buy: cut(buy), sell: cut(sell) }
}

function both(value: number): Sides {
  return { buy: value, sell: value }
}
