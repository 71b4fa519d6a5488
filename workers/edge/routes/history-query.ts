import { type Day, isDay } from '../../../shared/argentine-time.ts'
import type { HistoryRange } from '../db/history.ts'
import { badRequest } from '../errors.ts'
import { readQuery } from '../../../shared/query.ts'
import { wantsCsv } from '../http/wants-csv.ts'
import { HISTORY_LIMIT } from '../../../shared/sentences.ts'
import { HISTORY_POINTS, MAX_HISTORY_POINTS } from '../../../shared/limits.ts'

const PARAMETERS = ['from', 'to', 'limit', 'format']

export interface HistoryQuery extends HistoryRange {
  csv: boolean
}

/**
 * The query of a history read, or a 400 that names the error (decisions 12 and 14: history's query,
 * and CSV).
 */
export function parseHistoryQuery(request: Request): HistoryQuery {
  const query = readQuery(request, PARAMETERS)
  const from = parseDay('from', query.get('from'))
  const to = parseDay('to', query.get('to'))
  if (from !== null && to !== null && from > to)
    throw badRequest('from no puede ser posterior a to')

  return {
    from,
    to,
    limit: parseLimit(query.get('limit')),
    csv: wantsCsv(query, request),
  }
}

function parseDay(name: string, text: string | null): Day | null {
  if (text !== null && !isDay(text)) {
    throw badRequest(`${name} debe ser una fecha que exista, con la forma AAAA-MM-DD`)
  }
  return text
}

function parseLimit(text: string | null): number {
  if (text === null) return HISTORY_POINTS

  const limit = Number(text)
  if (!/^[1-9]\d{0,2}$/.test(text) || limit > MAX_HISTORY_POINTS) {
    throw badRequest(HISTORY_LIMIT)
  }
  return limit
}
