import { CURRENCIES, ORIGINS } from '../../../shared/market/catalog.ts'
import type { Parameter } from './openapi.ts'
import { HISTORY_POINTS, MAX_HISTORY_POINTS } from '../../../shared/limits.ts'

const lower = (codes: readonly string[]) => codes.map((code) => code.toLowerCase())

export const currency: Parameter = {
  name: 'currency',
  in: 'path',
  required: true,
  description: 'Código de la moneda, en mayúsculas o minúsculas.',
  schema: { type: 'string', enum: lower(CURRENCIES) },
  example: 'usd',
}

export const origin: Parameter = {
  name: 'origin',
  in: 'path',
  required: true,
  description: 'Código del origen, en mayúsculas o minúsculas. Cuáles valen depende de la moneda.',
  schema: { type: 'string', enum: lower(ORIGINS) },
  example: 'blue',
}

export const date: Parameter = {
  name: 'date',
  in: 'path',
  required: true,
  description: 'Día argentino `AAAA-MM-DD`; no puede ser posterior a hoy.',
  schema: { type: 'string', format: 'date' },
  example: '2026-03-02',
}

export const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'El `ETag` de una respuesta anterior: si nada cambió, la respuesta es 304.',
  schema: { type: 'string' },
}

export const format: Parameter = {
  name: 'format',
  in: 'query',
  description: '`csv` para recibir CSV con encabezado; `Accept: text/csv` hace lo mismo.',
  schema: { type: 'string', enum: ['csv'] },
}

export const dateQuery: Parameter[] = [
  {
    name: 'time',
    in: 'query',
    description: 'Hora argentina `HH:MM` o `HH:MM:SS`; sin ella, el fin del día.',
    schema: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$' },
  },
  {
    name: 'max_age',
    in: 'query',
    description:
      'Antigüedad máxima aceptada, en segundos; un valor más viejo vuelve con `buy` y `sell` nulos.',
    schema: { type: 'integer', minimum: 0 },
  },
  format,
]

export const historyQuery: Parameter[] = [
  {
    name: 'from',
    in: 'query',
    description: 'Primer día argentino, inclusive.',
    schema: { type: 'string', format: 'date' },
  },
  {
    name: 'to',
    in: 'query',
    description: 'Último día argentino, inclusive.',
    schema: { type: 'string', format: 'date' },
  },
  {
    name: 'limit',
    in: 'query',
    description: 'Cuántos resultados como máximo.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_HISTORY_POINTS, default: HISTORY_POINTS },
  },
  format,
]
