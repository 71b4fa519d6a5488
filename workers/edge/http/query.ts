import { badRequest } from '../../../shared/http-error.ts'
import { findPairByKey, type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import { NO_PARAMETERS, PAIRS_FORM } from '../../../shared/sentences.ts'
import { quoteNotFound } from '../errors.ts'

/** Parameters that spreadsheets add to bypass caches. */
export const CACHE_BUSTERS: readonly string[] = ['_', 't']

/**
 * The query of a request. Throws a 400 for another parameter or a repeated one, with `refusal` if
 * given. When the request wants CSV, by `format` or by the path, cache-busters are ignored.
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

/**
 * The pairs of `usd/blue,usd/bolsa`, in any letter case, without repetitions, in the order given.
 */
export function parsePairList(list: string): readonly Pair[] {
  const keys = list.split(',')
  if (keys.length > PAIRS.length) throw badRequest('El parámetro pairs tiene pares de más')
  const pairs = keys.map((key) => {
    if (!/^[a-z]{1,10}\/[a-z]{1,10}$/i.test(key)) {
      throw badRequest(PAIRS_FORM)
    }
    const pair = findPairByKey(key)
    if (!pair) throw quoteNotFound()
    return pair
  })
  return [...new Set(pairs)]
}
