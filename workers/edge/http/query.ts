import { badRequest } from '../../../shared/http-error.ts'
import { NO_PARAMETERS } from '../../../shared/sentences.ts'

/** Parameters with which a spreadsheet passes caches by. */
export const CACHE_BUSTERS: readonly string[] = ['_', 't']

/**
 * The query of a request; a 400 when it has another parameter or one twice, with a sentence of its
 * own or `refusal`. Where CSV is asked for, by `format` or by the path, cache-busters are passed
 * over.
 */
export function readQuery(
  request: Request,
  names: readonly string[],
  refusal?: string,
): URLSearchParams {
  const { pathname, searchParams: query } = new URL(request.url)
  const isCsv = query.get('format') === 'csv' || pathname.endsWith('.csv')

  for (const name of new Set(query.keys())) {
    if (isCsv && CACHE_BUSTERS.includes(name)) continue
    if (!names.includes(name)) {
      throw badRequest(refusal ?? unknownParameter(names))
    }
    if (query.getAll(name).length > 1)
      throw badRequest(refusal ?? `El parámetro ${name} está repetido`)
  }
  return query
}

function unknownParameter(names: readonly string[]): string {
  if (names.length === 0) return NO_PARAMETERS
  return `Los únicos parámetros son ${names.slice(0, -1).join(', ')} y ${names.at(-1)}`
}
