import type { Rule } from './rule.ts'
import { absurdSpread } from './rules/absurd-spread.ts'
import { implausible } from './rules/implausible.ts'
import { inverted } from './rules/inverted.ts'
import { jump } from './rules/jump.ts'
import { orderOfMagnitude } from './rules/order-of-magnitude.ts'
import { wideSpread } from './rules/wide-spread.ts'

/** The gravest first: the first rule that suspects a value names the reason of the hold. */
export const RULES: readonly Rule[] = [
  absurdSpread,
  implausible,
  orderOfMagnitude,
  wideSpread,
  inverted,
  jump,
]
