import * as z from 'zod/mini'
import type { Hours } from '../../../shared/market/market-hours.ts'
import { MINDICADOR_DOLAR } from './addresses.ts'
import { JSON_HEADERS } from './parsing/browser.ts'
import { isoDay } from './parsing/dates.ts'
import { parseJson } from './parsing/json.ts'
import { requirePrice } from './parsing/number-text.ts'
import { formatError } from './parsing/source-error.ts'
import type { Source } from './source.ts'

const payload = z.object({
  codigo: z.string(),
  serie: z.array(z.object({ fecha: z.string(), valor: z.number() })),
})

/** Chile's business days; ours are near enough for a fallback. */
const DAILY: Hours = { days: 'weekdays', windows: [[9 * 60, 20 * 60]] }

/**
 * Chile's observed dollar, CLP per USD, newest first. Its times are Chilean midnights: their
 * first ten characters are the day. An empty series is no data (a day without business).
 */
export const mindicador: Source = {
  name: 'mindicador',
  rhythm: { everyMinutes: 60, hours: DAILY },
  request: () => ({ url: MINDICADOR_DOLAR, headers: JSON_HEADERS }),
  parse(body) {
    const { codigo, serie } = parseJson(body, payload)
    if (codigo !== 'dolar') throw formatError('is another indicator')

    return serie.map(({ fecha, valor }) => ({
      kind: 'input',
      name: 'CLP per USD',
      value: requirePrice(valor),
      day: isoDay(fecha),
    }))
  },
}
