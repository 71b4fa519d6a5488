import { findPairByKey, type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import { badRequest, quoteNotFound } from '../errors.ts'
import { PAIRS_FORM } from '../../../shared/sentences.ts'

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
