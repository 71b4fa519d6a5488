import { badRequest } from '../errors.ts'
import { prefersCsv } from './accept.ts'

/** Whether `format=csv` or `Accept` asks for CSV rather than JSON. */
export function wantsCsv(query: URLSearchParams, request: Request): boolean {
  const format = query.get('format')
  if (format !== null && format !== 'csv') throw badRequest('El único valor de format es csv')
  return format === 'csv' || prefersCsv(request.headers.get('Accept'))
}
