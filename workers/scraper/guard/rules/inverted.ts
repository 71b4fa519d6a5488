import { spreadOf } from '../observe/levels.ts'
import type { Rule } from './rule.ts'

/**
 * Real markets invert a little: CCL in 205 of 7,826 hourly observations, by 4.0 % at most. Beyond
 * 5 % only typing errors were seen (blue 1285/1215, mayorista 1496/1405).
 */
const MOST_INVERTED = -0.05

export const inverted: Rule = {
  name: 'inverted',
  release: 'repetition',
  suspects(subject) {
    const before = subject.baseline ? spreadOf(subject.baseline) : 0
    return spreadOf(subject) < Math.min(MOST_INVERTED, before * 1.25)
  },
}
