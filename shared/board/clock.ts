/** Detects a wrong clock from the instants of cycles. Pure. */
import { type Instant, SECOND_MS } from '../argentine-time.ts'
import { BOARD_MAX_AGE_MS } from './board.ts'

/** A leap forward from one cycle to the next: an outage, or a clock that went wrong. */
export interface Leap {
  from: Instant
  to: Instant
}

/** The latest leap, once a cycle at `at` follows the last one. */
export function leapOf(
  last: { at: Instant; leap?: Leap | undefined } | null,
  at: Instant,
  everySeconds: number,
): Leap | undefined {
  if (!last) return undefined

  const usual = Math.max(BOARD_MAX_AGE_MS, 2 * everySeconds * SECOND_MS)
  return at - last.at > usual ? { from: last.at, to: at } : last.leap
}

/**
 * Whether a clock behind the last cycle must not record. If it is within the latest leap, the clock
 * had leapt and is right again. Otherwise this clock may be the wrong one, and would write today's
 * values into the past.
 */
export function isBehind(
  last: { at: Instant; leap?: Leap | undefined } | null,
  now: Instant,
): boolean {
  if (!last || last.at < now) return false
  return !last.leap || now <= last.leap.from || now >= last.leap.to
}
