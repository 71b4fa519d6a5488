import * as z from 'zod/mini'
import { INDEX_HOURS, RISK_HOURS } from '../../../shared/market/market-hours.ts'
import { ARGENTINADATOS_RIESGO, ARGENTINADATOS_UVA } from './addresses.ts'
import { JSON_HEADERS } from './parsing/browser.ts'
import { isoDay, refuseFuture, refuseOlderThanAWeek } from './parsing/dates.ts'
import { parseJson } from './parsing/json.ts'
import { requirePrice } from './parsing/number-text.ts'
import { emptyError, formatError } from './parsing/source-error.ts'
import type { Source } from './source.ts'

const dated = z.object({ fecha: z.string(), valor: z.number() })

/** Ámbito's country risk once a day; it has stalled for weeks. */
const riesgo: Source = {
  name: 'argentinadatos-riesgo',
  rhythm: { everyMinutes: 60, hours: RISK_HOURS },
  request: () => ({ url: ARGENTINADATOS_RIESGO, headers: JSON_HEADERS }),
  parse(body, now, replayed) {
    const { fecha, valor } = parseJson(body, dated)
    const day = isoDay(fecha)
    refuseFuture(day, now)
    refuseOlderThanAWeek(day, now, replayed)

    const points = requirePrice(valor)
    return [{ kind: 'quote', pair: 'ARG/RIESGO', buy: points, sell: points, stamp: fecha }]
  },
}

/** How many days of the series are read: it begins in 2016. */
const TAIL = 60

/** The BCRA's UVA from another host. */
const uva: Source = {
  name: 'argentinadatos-uva',
  rhythm: { everyMinutes: 60, hours: INDEX_HOURS },
  request: () => ({ url: ARGENTINADATOS_UVA, headers: JSON_HEADERS }),
  parse(body) {
    const tail = parseJson(body, z.array(dated)).slice(-TAIL)
    if (tail.length === 0) throw emptyError('holds no value')

    const days = tail.map(({ fecha }) => isoDay(fecha))
    if (new Set(days).size < days.length) throw formatError('has a day twice')
    return tail.map(({ valor }, at) => ({
      kind: 'input',
      name: 'UVA',
      value: requirePrice(valor),
      day: days[at]!,
    }))
  },
}

export const argentinadatosSources: readonly Source[] = [riesgo, uva]
