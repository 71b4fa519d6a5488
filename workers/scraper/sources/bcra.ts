import * as z from 'zod/mini'
import { addDays } from '../../../shared/argentine-time.ts'
import { type Hours, INDEX_HOURS } from '../../../shared/market/market-hours.ts'
import { get, inputsOf, json, isoDay, lastDays, refuseFuture } from './document.ts'
import { positiveOrNull } from './number-text.ts'
import { emptyError, formatError, type Reading, type Source } from './source.ts'

const SITE = 'https://api.bcra.gob.ar'

/** The BCRA publishes once, after the close. The request at 9 h finds a late publication. */
const CLOSING_HOURS: Hours = {
  days: 'bank',
  windows: [
    [9 * 60, 9.5 * 60],
    [14 * 60, 20 * 60],
  ],
}

const CURRENCIES = ['REF', 'EUR', 'BRL', 'CLP', 'UYU'] as const

const closing = z.object({
  results: z.object({
    fecha: z.nullable(z.string()),
    detalle: z.array(
      z.object({ codigoMoneda: z.string(), tipoPase: z.number(), tipoCotizacion: z.number() }),
    ),
  }),
})

/**
 * The BCRA's closing rates in pesos per unit, and the euro also in dollars (`EUR/USD`). `REF` is
 * the wholesale reference (Com. A 3500). `fecha: null, detalle: []` means no data (a weekend).
 */
export const bcraCotizaciones: Source = {
  ...get(
    'bcra-cotizaciones',
    30,
    CLOSING_HOURS,
    `${SITE}/estadisticascambiarias/v1.0/Cotizaciones`,
  ),
  parse: json(closing, ({ results: { fecha, detalle } }, now) => {
    if (fecha === null && detalle.length === 0) return []
    if (fecha === null) throw formatError('has rates without a date')

    const day = isoDay(fecha)
    refuseFuture(day, now)
    const inputs = CURRENCIES.flatMap((code): Reading[] => {
      const rows = detalle.filter((row) => row.codigoMoneda === code)
      if (rows.length > 1) throw formatError(`has ${rows.length} rows ${code}`)
      const [row] = rows
      return [
        input(code, row?.tipoCotizacion, day),
        ...(code === 'EUR' ? [input('EUR/USD', row?.tipoPase, day)] : []),
      ]
    })
    if (inputs.every(({ kind }) => kind === 'missing')) {
      throw emptyError('has none of our currencies')
    }

    return inputs
  }),
}

const series = z.object({
  results: z
    .array(
      z.object({
        idVariable: z.number(),
        detalle: z.array(z.object({ fecha: z.string(), valor: z.number() })),
      }),
    )
    .check(z.length(1)),
})

export const bcraVariables: readonly Source[] = [
  variable('bcra-minorista', 4, 'USD minorista', CLOSING_HOURS),
  variable('bcra-a3500', 5, 'A3500', CLOSING_HOURS),
  variable('bcra-cer', 30, 'CER', INDEX_HOURS),
  // Reads a week ahead, because CER is computed from the UVA of later days (derive/indices.ts).
  variable('bcra-uva', 31, 'UVA', INDEX_HOURS, 7),
]

/**
 * A series of the BCRA. CER and UVA are published ahead, so the newest value is not today's. An
 * empty range means no data.
 */
function variable(name: string, id: number, input: string, hours: Hours, ahead = 0): Source {
  return {
    ...get(name, 30, hours, (now) => {
      const { from, to } = lastDays(now)
      const days = `desde=${from}&hasta=${addDays(to, ahead)}`
      return `${SITE}/estadisticas/v4.0/Monetarias/${id}?${days}&limit=1000&offset=0`
    }),
    parse: json(series, ({ results: [result] }) => {
      if (result?.idVariable !== id) throw formatError('is another variable')

      return inputsOf(input, result.detalle)
    }),
  }
}

/** Zero means "does not apply" in these tables. */
function input(name: string, value: number | undefined, day: string): Reading {
  const price = positiveOrNull(value)
  return price ? { kind: 'input', name, value: price, day } : { kind: 'missing', row: name }
}
