import { type PairKey, pairKey } from '../../../../shared/market/catalog.ts'
import { widest } from '../observe/levels.ts'
import type { Rule } from './rule.ts'

/** A step this small may meet another pair's value by chance. */
const LEAST_STEP = 0.005

/** Both sides this near to another pair's are its value: a cent in fifty pesos. */
const NEAR = 0.0002

/** The average of banks and the largest bank may well say the same. */
const ALIKE: readonly PairKey[] = ['USD/OFICIAL', 'USD/BNA']

/**
 * A row read as its neighbour: the value of another pair to the cent, which this one was not near
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
        [other, ...(other.words ?? [])].some((level) => widest(level, subject) <= NEAR) &&
        !(ALIKE.includes(pairKey(subject.pair)) && ALIKE.includes(pairKey(other.pair))),
    )
  },
}
