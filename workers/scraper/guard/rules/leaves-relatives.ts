import { stepOf } from '../observe/levels.ts'
import type { Rule } from './rule.ts'

/**
 * The value leaves its relatives by more than a usual step: other dollars stand where they stood, this one does not. Sources
 * that merely differ from the old value too do not free it; one has to agree with it.
 */
export const leavesRelatives: Rule = {
  name: 'leaves-relatives',
  release: 'repetition',
  suspects({ relatives, limits }) {
    if (!relatives) return false

    const off = Math.abs(relatives.after)
    return off > stepOf(limits.jump) && Math.abs(relatives.before) < off / 2
  },
}
