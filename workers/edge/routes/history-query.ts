import { type Day, isDay } from '../../../shared/argentine-time.ts'
import type { HistoryRange } from '../../../shared/db/quotes/history.ts'
import { badRequest } from '../errors.ts'
import { prefersCsv } from '../http/accept.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 500
const PARAMETERS = ['from', 'to', 'limit', 'format']

export interface HistoryQuery extends HistoryRange {
  csv: boolean
}

/** The query of a history read, or a 400 that says what is wrong (decisions 12 and 14). */
export function parseHistoryQuery(request: Request): HistoryQuery {
  const query = new URL(request.url).searchParams
  refuseStrangers(query)

  const from = parseDay('from', query.get('from'))
  const to = parseDay('to', query.get('to'))
  if (from !== null && to !== null && from > to)
    throw badRequest('from no puede ser posterior a to')

  return {
    from,
    to,
    limit: parseLimit(query.get('limit')),
    csv: parseFormat(query.get('format')) === 'csv' || prefersCsv(request.headers.get('Accept')),
  }
}

function refuseStrangers(query: URLSearchParams): void {
  for (const name of new Set(query.keys())) {
    if (!PARAMETERS.includes(name)) {
      throw badRequest('Los únicos parámetros son from, to, limit y format')
    }
    if (query.getAll(name).length > 1) throw badRequest(`El parámetro ${name} está repetido`)
  }
}

function parseDay(name: string, text: string | null): Day | null {
  if (text !== null && !isDay(text)) {
    throw badRequest(`${name} debe ser una fecha que exista, con la forma AAAA-MM-DD`)
  }
  return text
}

function parseLimit(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT

  const limit = Number(text)
  if (!/^[1-9]\d{0,2}$/.test(text) || limit > MAX_LIMIT) {
    throw badRequest('limit debe ser un número entero de 1 a 500')
  }
  return limit
}

function parseFormat(text: string | null): 'csv' | null {
  if (text !== null && text !== 'csv') throw badRequest('El único valor de format es csv')
  return text
}
