import type { Rule } from './rule.ts'
import { absurdSpread } from './absurd-spread.ts'
import { implausible } from './implausible.ts'
import { inverted } from './inverted.ts'
import { jump } from './jump.ts'
import { orderOfMagnitude } from './order-of-magnitude.ts'
import { wideSpread } from './wide-spread.ts'

/** The gravest first: the first rule that suspects a value names the reason of the hold. */
export const RULES: readonly Rule[] = [
  absurdSpread,
  implausible,
  orderOfMagnitude,
  wideSpread,
  inverted,
  jump,
]
