import { PRICE_SCALE } from '../../../../shared/market/price.ts'
import type { Level } from '../observe/levels.ts'
import type { Limits } from './limits.ts'
import type { Rule } from './rule.ts'

/** A first value has nothing to be compared with but what the pair can be worth at all. */
export const implausible: Rule = {
  name: 'implausible',
  release: 'independent',
  suspects: ({ baseline, limits, buy, sell }) => !baseline && !isPlausible({ buy, sell }, limits),
}

export function isPlausible({ buy, sell }: Level, { lowest, highest }: Limits): boolean {
  return [buy, sell].every(
    (price) => price >= lowest * PRICE_SCALE && price <= highest * PRICE_SCALE,
  )
}
