import type { Instant } from '../../../shared/argentine-time.ts'
import { type DateQuery, parseDateQuery } from '../../../shared/market/date-query.ts'
import { prefersCsv } from '../http/accept.ts'
import { badRequest } from '../errors.ts'

export interface DateRequest extends DateQuery {
  csv: boolean
}

const PARAMETERS = ['time', 'max_age', 'format']

/** The query of a date read, or a 400 that says what is wrong (decision 10). */
export function readDateQuery(date: string, request: Request, now: Instant): DateRequest {
  const parameters = new URL(request.url).searchParams
  refuseStrangers(parameters)

  const query = parseDateQuery(
    { date, time: parameters.get('time'), maxAge: parameters.get('max_age') },
    now,
  )
  if (!query.ok) throw badRequest(query.refusal)

  const format = parseFormat(parameters.get('format'))
  return { ...query.value, csv: format === 'csv' || prefersCsv(request.headers.get('Accept')) }
}

function refuseStrangers(query: URLSearchParams): void {
  for (const name of new Set(query.keys())) {
    if (!PARAMETERS.includes(name)) {
      throw badRequest('Los únicos parámetros son time, max_age y format')
    }
    if (query.getAll(name).length > 1) throw badRequest(`El parámetro ${name} está repetido`)
  }
}

function parseFormat(text: string | null): 'csv' | null {
  if (text !== null && text !== 'csv') throw badRequest('El único valor de format es csv')
  return text
}
