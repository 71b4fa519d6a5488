import { spreadOf } from '../observe/levels.ts'
import type { Rule } from './rule.ts'

/** Sides this far inverted are no market. */
const ABSURD_INVERSION = -0.2

/**
 * One side alone is wrong: a sell of 1 beside a buy of 962, a sell of 12950 beside 1026. Two
 * sources that agree on such a quote copied it from one another, so only an operator frees it.
 */
export const absurdSpread: Rule = {
  name: 'absurd-spread',
  release: 'operator',
  suspects(subject) {
    const spread = spreadOf(subject)
    const before = subject.baseline ? spreadOf(subject.baseline) : 0
    if (spread < ABSURD_INVERSION) return spread < before * 1.25
    return spread > Math.max(subject.limits.absurdSpread, before * 1.25)
  },
}
