import type { Instant } from '../../../shared/argentine-time.ts'
import { type DateQuery, parseDateQuery } from '../../../shared/market/date-query.ts'
import { badRequest } from '../errors.ts'
import { readQuery } from '../../../shared/query.ts'
import { wantsCsv } from '../http/wants-csv.ts'

export interface DateRequest extends DateQuery {
  csv: boolean
}

const PARAMETERS = ['time', 'max_age', 'format']

/**
 * The query of a date read, or a 400 that says what is wrong (decision 10: dates and times asked).
 */
export function readDateQuery(date: string, request: Request, now: Instant): DateRequest {
  const parameters = readQuery(request, PARAMETERS)
  const query = parseDateQuery(
    { date, time: parameters.get('time'), maxAge: parameters.get('max_age') },
    now,
  )
  if (!query.ok) throw badRequest(query.refusal)

  return { ...query.value, csv: wantsCsv(parameters, request) }
}
