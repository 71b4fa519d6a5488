import { type Market, type Sides, times } from '../market.ts'
import { jsonUpstream } from '../upstream.ts'
import { clock, comma, dayMonthYear, longClock } from '../writing.ts'
import { contracts } from './futures.ts'

/** Texts with decimal comma; bonds, cripto and futures have a `valor` too. */
export const ambito = jsonUpstream('mercados.ambito.com', ({ pathname }, market) =>
  documents[pathname]?.(market),
)

const documents: Record<string, (market: Market) => unknown> = {
  '/dolar/oficial/variacion': (market) => quote(market, market.oficial),
  '/dolarnacion/variacion': (market) => quote(market, market.bna),
  '/dolar/informal/variacion': (market) => quote(market, market.blue),
  '/dolar/mayorista/variacion': (market) => quote(market, market.mayorista),
  '/dolarrava/mep/variacion': (market) => value(market, market.mep),
  '/dolarrava/cl/variacion': (market) => value(market, market.ccl),
  '/dolarcripto/variacion': (market) => value(market, market.cripto.sell),
  '/dolarturista/variacion': (market) =>
    quote(market, { buy: market.bna.buy, sell: market.bna.sell * 1.3 }),
  '/dolarfuturo/datos': (market) =>
    contracts(market).map(({ name, price }) => ({
      contrato: `Dólar ${name}`,
      ultimo: comma(price),
      compra: comma(price - 0.5),
      venta: comma(price + 0.5),
    })),
  '/dolarfuturo/variacion': (market) => {
    const { price } = contracts(market)[0]!
    return { ...quote(market, { buy: price - 0.5, sell: price + 0.5 }), valor: comma(price) }
  },
  '/euro/variacion': (market) => quote(market, times(market.mayorista, market.eurUsd)),
  '/euro/informal/variacion': (market) => quote(market, times(market.blue, 1.16)),
  '/real/variacion': (market) => quote(market, times(market.mayorista, 1 / market.brlPerUsd)),
  '/riesgopais/jornada': ({ now, today, riesgo }) => ({
    ultimo: String(riesgo),
    fecha: `${dayMonthYear(today, '-')} ${longClock(now)}`,
    valor: String(riesgo),
    varpesos: '0',
    'variacion-nombre': 'Var. puntos',
  }),
  '/riesgopais/variacion': ({ today, riesgo }) => ({
    ultimo: String(riesgo),
    fecha: dayMonthYear(today, '-'),
    variacion: '0,00%',
  }),
}

function quote({ now, today }: Market, { buy, sell }: Sides) {
  return {
    compra: comma(buy),
    venta: comma(sell),
    fecha: `${dayMonthYear(today)} - ${clock(now)}`,
    variacion: '0,00%',
    'class-variacion': 'equal',
  }
}

function value(market: Market, price: number) {
  return { ...quote(market, { buy: price, sell: price }), valor: comma(price) }
}
