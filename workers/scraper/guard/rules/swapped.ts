import { type Level, spreadOf } from '../observe/levels.ts'
import type { Rule } from './rule.ts'

/** The mirrored spread resembles the one before within this share of it. */
const ALIKE = 0.25

/** A price is cut to cents: the smallest spreads mirror less exactly. */
const CENTS = 0.0002

/**
 * Buy and sell exchanged: the sides are inverted by just the spread that they had. A book that
 * crosses by itself does so by any amount.
 */
export const swapped: Rule = {
  name: 'swapped',
  release: 'independent',
  lasts: true,
  suspects(subject) {
    const known = subject.baseline ? [subject.baseline, ...subject.before] : subject.before
    return known.some((before) => isMirrored(subject, before))
  },
}

function isMirrored(now: Level, before: Level): boolean {
  const usual = spreadOf(before)
  const spread = spreadOf(now)
  return spread < 0 && usual > 0 && Math.abs(spread + usual) <= ALIKE * usual + CENTS
}
