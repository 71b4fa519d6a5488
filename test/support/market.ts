/**
 * A small outside world for cycles: the blue dollar at Ámbito and at DolarHoy, in their formats.
 * All other sources answer 503, so each test also shows that failing sources stop nothing.
 */
export interface Market {
  blue: [buy: number, sell: number]
  /** DolarHoy's prices; Ámbito's when absent. */
  dolarhoy?: [buy: number, sell: number]
  /** Hosts that do not answer at all. */
  dead?: string[]
}

/** A `fetch` for a market, or for a sell of the blue dollar that is 20 above its buy. */
export function marketFetch(given: number | Market): typeof fetch {
  const market: Market = typeof given === 'number' ? { blue: [given - 20, given] } : given
  return async (input) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    if (market.dead?.includes(url.host)) throw new Error('Network connection lost.')
    if (url.host === 'mercados.ambito.com' && url.pathname === '/dolar/informal/variacion') {
      return Response.json(ambito(market.blue))
    }
    if (url.host === 'dolarhoy.com') return new Response(dolarhoy(market.dolarhoy ?? market.blue))

    return new Response('down', { status: 404 })
  }
}

function ambito([buy, sell]: [number, number]) {
  return {
    compra: comma(buy),
    venta: comma(sell),
    fecha: '02/03/2026 - 11:55',
    variacion: '0,66%',
    'class-variacion': 'up',
  }
}

function dolarhoy([buy, sell]: [number, number]): string {
  return (
    '<div class="title"><a href="/cotizaciondolarblue">Dólar Blue</a></div><div class="values">' +
    `<div class="compra"><div class="topic">Compra</div><div class="val">$${buy}</div></div>` +
    `<div class="venta"><div class="topic">Venta</div><div class="val">$${sell}</div></div></div>`
  )
}

function comma(price: number): string {
  return price.toFixed(2).replace('.', ',')
}
