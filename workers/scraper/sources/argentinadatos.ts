import * as z from 'zod/mini'
import { addDays, argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { ALWAYS, INDEX_HOURS, RISK_HOURS } from '../../../shared/market/market-hours.ts'
import {
  atLeastOne,
  get,
  inputsOf,
  json,
  isoDay,
  refuseFuture,
  refuseOlderThanAWeek,
} from './document.ts'
import { requirePrice } from './number-text.ts'
import { emptyError, formatError, type Source } from './source.ts'

const SITE = 'https://api.argentinadatos.com/v1'

const dated = z.object({ fecha: z.string(), valor: z.number() })

/** Only the last days of UVA are read: the series begins in 2016. */
const TAIL = 60

const holiday = z.object({ fecha: z.string(), tipo: z.string(), nombre: z.string() })

/** Every year has at least as many national holidays. */
const FEWEST_HOLIDAYS = 12
const LONGEST_NAME = 100

/** The list of this year's holidays; in December, every second day, the list of next year. */
function holidaysOf(now: Instant): string {
  const today = argentineDay(now)
  const isEven = Number(today.slice(8)) % 2 === 0
  return `${SITE}/feriados/${(isEven ? addDays(today, 31) : today).slice(0, 4)}`
}

export const argentinadatosSources: readonly Source[] = [
  // Ámbito's country risk, once a day. This source has stalled for weeks.
  {
    ...get('argentinadatos-riesgo', 60, RISK_HOURS, `${SITE}/finanzas/indices/riesgo-pais/ultimo`),
    parse: json(dated, ({ fecha: stamp, valor }, now, replayed) => {
      const day = isoDay(stamp)
      refuseFuture(day, now)
      refuseOlderThanAWeek(day, now, replayed)

      const points = requirePrice(valor)
      return [{ kind: 'quote', pair: 'ARG/RIESGO', buy: points, sell: points, stamp }]
    }),
  },
  // The UVA of the BCRA, from another host.
  {
    ...get('argentinadatos-uva', 60, INDEX_HOURS, `${SITE}/finanzas/indices/uva`),
    parse: json(z.array(dated), (series) =>
      atLeastOne(inputsOf('UVA', series.slice(-TAIL)), 'holds no value'),
    ),
  },
  {
    ...get('argentinadatos-feriados', 24 * 60, ALWAYS, holidaysOf),
    parse: json(z.array(holiday), (list) => {
      const days = list.map(({ fecha, tipo, nombre }) => ({
        day: isoDay(fecha),
        kind: tipo,
        name: nombre.slice(0, LONGEST_NAME),
      }))
      if (days.length < FEWEST_HOLIDAYS) throw emptyError('holds fewer holidays than a year has')
      const year = days[0]!.day.slice(0, 4)
      const isOther = days.some(({ day }) => !day.startsWith(year))
      if (isOther) throw formatError('holds more than one year')
      return [{ kind: 'holidays', year: Number(year), days }]
    }),
  },
]
