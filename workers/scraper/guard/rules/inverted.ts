import { spreadOf } from '../observe/levels.ts'
import type { Rule } from './rule.ts'

/**
 * No bank and no desk sells below its buy; only the books of two bonds cross by a little
 * (`inversion` in limits.ts). A newspaper's typing error has stood inverted for five hours, so
 * repetition does not free it.
 */
export const inverted: Rule = {
  name: 'inverted',
  release: 'independent',
  suspects(subject) {
    const before = subject.inEffect ? spreadOf(subject.inEffect) : 0
    return spreadOf(subject) < Math.min(-subject.limits.inversion, before * 1.25)
  },
}
