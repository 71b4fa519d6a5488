import { addDays } from '../../../shared/argentine-time.ts'
import { jsonUpstream } from '../upstream.ts'
import { bankDaysFrom, cut } from '../writing.ts'

/** The last days, or a year; newest first. Times are Chilean midnights. */
export const mindicador = jsonUpstream('mindicador.cl', ({ pathname }, { lastClose, on }) => {
  const [, year] = /^\/api\/dolar(?:\/(\d{4}))?$/.exec(pathname) ?? [pathname]
  if (pathname !== '/api/dolar' && year === undefined) return null

  const from = year === undefined ? addDays(lastClose, -10) : `${year}-01-01`
  const yearEnd = `${year}-12-31`
  const to = year === undefined || yearEnd > lastClose ? lastClose : yearEnd
  return {
    version: '1.7.0',
    autor: 'mindicador.cl',
    codigo: 'dolar',
    nombre: 'Dólar observado',
    unidad_medida: 'Pesos',
    serie: bankDaysFrom(from, to)
      .toReversed()
      .map((day) => ({ fecha: `${day}T03:00:00.000Z`, valor: cut(on(day).clpPerUsd) })),
  }
})
