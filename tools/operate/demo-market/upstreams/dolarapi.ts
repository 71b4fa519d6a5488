import { formatUtc } from '../../../../shared/argentine-time.ts'
import type { Market } from '../market.ts'
import { jsonUpstream } from '../upstream.ts'
import { cut } from '../writing.ts'

/** Numbers. It repeats Ámbito, DolarHoy and IOL. */
export const dolarapi = jsonUpstream('dolarapi.com', ({ pathname }, market) => {
  const { bna, blue, mep, ccl, mayorista, cripto, oficial, now } = market
  const row = (casa: string, buy: number, sell: number, moneda = 'USD', decimals = 2) => ({
    moneda,
    casa,
    nombre: casa,
    compra: cut(buy, decimals),
    venta: cut(sell, decimals),
    fechaActualizacion: formatUtc(now),
  })

  switch (pathname) {
    case '/v1/dolares':
      return [
        row('oficial', bna.buy, bna.sell),
        row('blue', blue.buy, blue.sell),
        row('bolsa', mep - 1, mep),
        row('contadoconliqui', ccl - 2, ccl),
        row('mayorista', mayorista.buy, mayorista.sell),
        row('cripto', cripto.buy, cripto.sell),
        row('tarjeta', bna.buy * 1.3, bna.sell * 1.3),
      ]
    case '/v1/ambito/dolares':
      return [
        row('oficial', oficial.buy, oficial.sell),
        row('bna', bna.buy, bna.sell),
        row('blue', blue.buy, blue.sell),
      ]
    case '/v1/cotizaciones':
      return [
        row('oficial', bna.buy, bna.sell),
        ...crosses(market).map(({ code, buy, sell }) => row('oficial', buy, sell, code, 4)),
      ]
    default:
      return null
  }
})

/** IOL's crosses, which dolarapi repeats. */
export function crosses({ mayorista, eurUsd, brlPerUsd, clpPerUsd, uyuPerUsd }: Market) {
  const { buy, sell } = mayorista
  return [
    { code: 'EUR', name: 'Euros', buy: buy * eurUsd, sell: sell * eurUsd },
    { code: 'BRL', name: 'Reales Brasileños', buy: buy / brlPerUsd, sell: sell / brlPerUsd },
    { code: 'CLP', name: 'Pesos Chilenos', buy: sell / clpPerUsd, sell: sell / clpPerUsd },
    { code: 'UYU', name: 'Pesos Uruguayos', buy: sell / uyuPerUsd, sell: sell / uyuPerUsd },
  ]
}
