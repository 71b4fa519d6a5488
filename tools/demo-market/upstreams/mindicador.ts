import { addDays } from '../../../shared/argentine-time.ts'
import { jsonUpstream } from '../upstream.ts'
import { bankDaysFrom, cut } from '../writing.ts'

/** Newest first; times are Chilean midnights. */
export const mindicador = jsonUpstream('mindicador.cl', ({ pathname }, market) =>
  pathname === '/api/dolar'
    ? {
        version: '1.7.0',
        autor: 'mindicador.cl',
        codigo: 'dolar',
        nombre: 'Dólar observado',
        unidad_medida: 'Pesos',
        serie: bankDaysFrom(addDays(market.lastClose, -10), market.lastClose)
          .toReversed()
          .map((day) => ({ fecha: `${day}T03:00:00.000Z`, valor: cut(market.clpPerUsd) })),
      }
    : null,
)
