import { spreadOf } from '../observe/levels.ts'
import type { Rule } from './rule.ts'

/** A spread wider than the pair ever has, unless the value in effect already has it. */
export const wideSpread: Rule = {
  name: 'wide-spread',
  release: 'repetition',
  suspects(subject) {
    const before = subject.baseline ? spreadOf(subject.baseline) : 0
    return spreadOf(subject) > Math.max(subject.limits.wideSpread, before * 1.25)
  },
}
