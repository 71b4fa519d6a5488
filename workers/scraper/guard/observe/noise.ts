import { stepOf } from './levels.ts'
import type { Limits } from '../rules/limits.ts'
import { MILLION, type Usual } from './memory.ts'

/**
 * Two sources of one quote stray from their usual distance by less than 1.2 % in 99 of 100 hourly
 * observations of 2024 (blue 1.0, MEP 1.2, official 0.4); a fault of 3 % stands well beyond 2 %.
 */
const FLOOR = 0.02

/** A source strays beyond six times its usual straying less than once in a hundred. */
const TIMES = 6

/** However noisy a pair is, a witness speaks against most of its usual step. */
const SHARE_OF_STEP = 0.8

/** The distance from a witness below which nothing can be said. */
export function noiseFloor({ jump }: Limits, usual?: Pick<Usual, 'noise'>): number {
  const learned = ((usual?.noise ?? 0) * TIMES) / MILLION
  return Math.min(Math.max(stepOf(FLOOR), learned), SHARE_OF_STEP * stepOf(jump))
}
