import { priceToNumber } from '../../../../shared/market/price.ts'
import { distance, heavy, normal } from '../level.ts'
import type { Subject, Witness } from '../subject.ts'
import { isPlausible } from '../usual.ts'
import { faulty } from '../faults.ts'
import { FAULTS, SLOW_FOLLOWS, FOLLOWS_MINUTES, NEVER_FOLLOWS, SHARE_OF_STEP } from '../weights.ts'
import type { Term, Vote } from './vote.ts'

/** Sources of a first value may differ by their definitions, not by more than this. */
const ALIKE = 0.1

/**
 * Witness: another origin either says the new level (it followed, or a rare coincidence), or still
 * says the old one (it has not followed yet, which is ever less likely, or the reading is wrong).
 * One that has said the same for as long as it usually does may have stopped, and tells less.
 */
export const witness: Term = (subject) =>
  subject.witnesses.flatMap((one) => (subject.baseline ? vote(one, subject) : first(one, subject)))

function vote(one: Witness, { side, moved, minutes, usual }: Subject): Vote[] {
  const at = one.at[side]
  if (at === null) return []

  // The longer it has said the same, up to its usual interval, the likelier it stopped. At most
  // twice as likely: patience must not outweigh it and a large step.
  const never = NEVER_FOLLOWS * (1 + Math.min(1, one.intervals))
  const silent = stillSilent(one.isSlow ? SLOW_FOLLOWS : never, minutes)
  const noise = Math.hypot(one.noise[side], usual.step / 2)
  const to = moved[side]
  // On a day on which two sources stray, their steps may agree better than their levels.
  const off = Math.min(...one.moved[side].map((moved) => Math.abs(moved - to)))
  const points = likelihood({ at, to, off, noise, fine: usual.step / 2, silent })
  const says = priceToNumber(one.says[side])
  return [
    {
      term: 'witness',
      points,
      text: () => `${one.name} says ${says}${points < 0 ? ` after ${minutes} min` : ''}`,
    },
  ]
}

/**
 * The logarithm of how much likelier it is to find a voice `at` a distance if the market went `to`
 * another one than if it stayed. `silent` is the chance that the voice has not followed.
 */
export function likelihood(voice: {
  at: number
  to: number
  noise: number
  silent: number
  /** How far it is from the new level at its best, and how finely two tell the same one. */
  off: number
  fine: number
}): number {
  const { at, to, off, noise, fine, silent } = voice
  const there = normal(off, Math.hypot(fine, SHARE_OF_STEP * to))
  const stayed = heavy(at, noise)
  const stray = FAULTS * faulty(at)
  const followed = (1 - silent) * there + silent * stayed
  return Math.log(((1 - FAULTS) * followed + stray) / ((1 - FAULTS) * stayed + stray))
}

/** The chance that a source says the old value though the market left it so many minutes ago. */
export function stillSilent(never: number, minutes: number): number {
  return never + (1 - never) * Math.exp(-(minutes + FOLLOWS_MINUTES) / FOLLOWS_MINUTES)
}

/** Beside a first value: how far apart two may be by their definitions. */
function first({ name, says }: Witness, { source, usual }: Subject): Vote[] {
  if (!isPlausible(says, usual)) return []
  const isAlike = Math.abs(distance(says.sell, source.sell)) <= ALIKE
  return [
    {
      term: 'witness',
      points: isAlike ? 1 : -1,
      text: () => `${name} says ${priceToNumber(says.sell)}`,
    },
  ]
}
