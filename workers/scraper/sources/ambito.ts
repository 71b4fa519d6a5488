import type { Big } from 'big.js'
import * as z from 'zod/mini'
import type { PairKey } from '../../../shared/market/catalog.ts'
import {
  BOND_HOURS,
  type Hours,
  QUOTE_HOURS,
  RISK_HOURS,
  ALWAYS,
  FUTURES_HOURS,
} from '../../../shared/market/market-hours.ts'
import { get, json, USER_AGENT, checkDay } from './document.ts'
import { parseDecimal, parsePrice, requirePrice } from './number-text.ts'
import type { Source } from './source.ts'

/** Without a browser's `User-Agent` Ámbito answers 403 (since February 2026). */
const HEADERS = {
  'User-Agent': USER_AGENT,
  Accept: 'application/json',
  Referer: 'https://www.ambito.com/',
}

const quotePayload = z.object({
  compra: z.optional(z.string()),
  venta: z.optional(z.string()),
  valor: z.optional(z.string()),
  fecha: z.optional(z.string()),
})

/** In this document `ultimo` is the current value. In Ámbito's bonds it is the PREVIOUS close. */
const riskPayload = z.object({ ultimo: z.string(), fecha: z.string() })

/**
 * Ámbito has one pair per address, with prices as texts with decimal comma. `fecha` advances even
 * while the price stands still, so it only serves for audit. A `fecha` in the future is refused.
 */
export const ambitoSources: readonly Source[] = [
  quote('ambito-oficial', '/dolar/oficial/variacion', 'USD/OFICIAL', QUOTE_HOURS),
  quote('ambito-bna', '/dolarnacion/variacion', 'USD/BNA', QUOTE_HOURS),
  quote('ambito-blue', '/dolar/informal/variacion', 'USD/BLUE', QUOTE_HOURS),
  quote('ambito-mayorista', '/dolar/mayorista/variacion', 'USD/MAYORISTA', QUOTE_HOURS),
  quote('ambito-mep', '/dolarrava/mep/variacion', 'USD/BOLSA', BOND_HOURS),
  quote('ambito-ccl', '/dolarrava/cl/variacion', 'USD/CCL', BOND_HOURS),
  quote('ambito-cripto', '/dolarcripto/variacion', 'USD/CRIPTO', ALWAYS),
  quote('ambito-turista', '/dolarturista/variacion', 'USD/TARJETA', QUOTE_HOURS),
  quote('ambito-futuro', '/dolarfuturo/variacion', 'USD/FUTURO', FUTURES_HOURS),
  quote('ambito-euro', '/euro/variacion', 'EUR/OFICIAL', QUOTE_HOURS),
  quote('ambito-euro-blue', '/euro/informal/variacion', 'EUR/BLUE', QUOTE_HOURS),
  quote('ambito-real', '/real/variacion', 'BRL/OFICIAL', QUOTE_HOURS),
  risk('ambito-riesgo-jornada', '/riesgopais/jornada'),
  risk('ambito-riesgo', '/riesgopais/variacion'),
]

/** The source of an Ámbito document, with the host and headers that all of them share. */
export function getAmbito(name: string, path: string, everyMinutes: number, hours: Hours) {
  return get(name, everyMinutes, hours, `https://mercados.ambito.com${path}`, HEADERS)
}

function quote(name: string, path: string, pair: PairKey, hours: Hours): Source {
  return {
    ...getAmbito(name, path, 5, hours),
    parse: json(quotePayload, ({ compra, venta, valor, fecha }, now) => {
      checkDay(fecha ?? '', now)
      const [buy, sell] = sides(compra, venta, valor)
      return [{ kind: 'quote', pair, buy, sell, ...(fecha && { stamp: fecha }) }]
    }),
  }
}

function risk(name: string, path: string): Source {
  return {
    ...getAmbito(name, path, 15, RISK_HOURS),
    parse: json(riskPayload, ({ ultimo, fecha: stamp }, now) => {
      checkDay(stamp, now)
      const points = parsePrice(ultimo, 'comma')
      return [{ kind: 'quote', pair: 'ARG/RIESGO', buy: points, sell: points, stamp }]
    }),
  }
}

/** Both sides, or the single value if the document has no sides. */
function sides(compra?: string, venta?: string, valor?: string): [buy: Big, sell: Big] {
  const buy = parseDecimal(compra ?? '', 'comma')
  const sell = parseDecimal(venta ?? '', 'comma')
  if (buy === null && sell === null) {
    const single = parsePrice(valor ?? '', 'comma')
    return [single, single]
  }
  return [requirePrice(buy), requirePrice(sell)]
}
