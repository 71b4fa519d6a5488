import { badRequest } from '../errors.ts'
import { prefersCsv } from './accept.ts'

/** The query of a request that has these parameters and no other, each at most once; or a 400. */
export function readQuery(request: Request, names: readonly string[]): URLSearchParams {
  const query = new URL(request.url).searchParams

  for (const name of new Set(query.keys())) {
    if (!names.includes(name)) {
      const all = `${names.slice(0, -1).join(', ')} y ${names.at(-1)}`
      throw badRequest(`Los únicos parámetros son ${all}`)
    }
    if (query.getAll(name).length > 1) throw badRequest(`El parámetro ${name} está repetido`)
  }
  return query
}

/** Whether `format=csv` or `Accept` asks for CSV rather than JSON. */
export function wantsCsv(query: URLSearchParams, request: Request): boolean {
  const format = query.get('format')
  if (format !== null && format !== 'csv') throw badRequest('El único valor de format es csv')
  return format === 'csv' || prefersCsv(request.headers.get('Accept'))
}
