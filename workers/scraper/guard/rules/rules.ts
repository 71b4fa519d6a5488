import type { Rule } from './rule.ts'
import { absurdSpread } from './absurd-spread.ts'
import { anotherPair } from './another-pair.ts'
import { contradicted } from './contradicted.ts'
import { implausible } from './implausible.ts'
import { inverted } from './inverted.ts'
import { jump } from './jump.ts'
import { leavesRelatives } from './leaves-relatives.ts'
import { orderOfMagnitude } from './order-of-magnitude.ts'
import { swapped } from './swapped.ts'
import { unusualSpread } from './unusual-spread.ts'
import { wideSpread } from './wide-spread.ts'

/** The gravest first: the first rule that suspects a value names the reason of the hold. */
export const RULES: readonly Rule[] = [
  absurdSpread,
  implausible,
  orderOfMagnitude,
  swapped,
  inverted,
  anotherPair,
  wideSpread,
  unusualSpread,
  leavesRelatives,
  jump,
  contradicted,
]
