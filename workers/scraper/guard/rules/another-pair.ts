import { type Pair, type PairKey, pairKey } from '../../../../shared/market/catalog.ts'
import { roundPrice } from '../../../../shared/market/price.ts'
import { type Level, widest } from '../observe/levels.ts'
import type { Rule } from './rule.ts'

/** A step this small may meet another pair's value by chance. */
const LEAST_STEP = 0.005

/** The average of banks and the largest bank may well say the same. */
const ALIKE: readonly PairKey[] = ['USD/OFICIAL', 'USD/BNA']

/**
 * A row read as its neighbour: the value of another pair to the last digit, which this one was not near
 * before. However often it repeats, it stays the other pair's.
 */
export const anotherPair: Rule = {
  name: 'another-pair',
  release: 'independent',
  lasts: true,
  suspects(subject) {
    const { baseline, before, others } = subject
    if (!baseline) return false

    const known = [baseline, ...before]
    if (known.some((level) => widest(level, subject) < LEAST_STEP)) return false
    return others.some(
      (other) =>
        [other, ...(other.words ?? [])].some((level) => isPrintedAs(level, subject)) &&
        !(ALIKE.includes(pairKey(subject.pair)) && ALIKE.includes(pairKey(other.pair))),
    )
  },
}

/**
 * Whether a level is another one to the last digit that the pair prints. MEP, CCL and crypto stand
 * a per cent apart: to be merely near to a neighbour is nothing unusual.
 */
function isPrintedAs(level: Level, subject: Level & { pair: Pair }): boolean {
  const { decimals } = subject.pair
  return (['buy', 'sell'] as const).every(
    (side) => roundPrice(level[side], decimals) === roundPrice(subject[side], decimals),
  )
}
