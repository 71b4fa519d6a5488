import * as z from 'zod/mini'
import { addDays, argentineDay } from '../../../shared/argentine-time.ts'
import { ALWAYS, INDEX_HOURS, RISK_HOURS } from '../../../shared/market/market-hours.ts'
import { ARGENTINADATOS_RIESGO, ARGENTINADATOS_UVA, argentinadatosHolidays } from './addresses.ts'
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

const holiday = z.object({ fecha: z.string(), tipo: z.string(), nombre: z.string() })

/** No year has fewer national holidays. */
const FEWEST_HOLIDAYS = 12
const LONGEST_NAME = 100

/** The holidays of the year, once a day; in December those of the next one on every other day. */
const feriados: Source = {
  name: 'argentinadatos-feriados',
  rhythm: { everyMinutes: 24 * 60, hours: ALWAYS },
  request(now) {
    const today = argentineDay(now)
    const isEven = Number(today.slice(8)) % 2 === 0
    const day = isEven ? addDays(today, 31) : today
    return { url: argentinadatosHolidays(day.slice(0, 4)), headers: JSON_HEADERS }
  },
  parse(body) {
    const days = parseJson(body, z.array(holiday)).map(({ fecha, tipo, nombre }) => ({
      day: isoDay(fecha),
      kind: tipo,
      name: nombre.slice(0, LONGEST_NAME),
    }))
    if (days.length < FEWEST_HOLIDAYS) throw emptyError('holds fewer holidays than a year has')
    const year = days[0]!.day.slice(0, 4)
    if (days.some(({ day }) => !day.startsWith(year))) throw formatError('holds more than one year')
    return [{ kind: 'holidays', year: Number(year), days }]
  },
}

export const argentinadatosSources: readonly Source[] = [riesgo, uva, feriados]
