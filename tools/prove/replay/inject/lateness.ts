import type { Instant } from '../../../../shared/argentine-time.ts'
import type { GuardState } from '../guard.ts'
import { type Honest, readingAt } from './market.ts'
import { isUndisputed, outside, rightWithin } from './stale.ts'
import { Stretch } from './stretch.ts'

const LATE_MINUTES = 10

/**
 * Counts how often the value in effect lagged behind sources that agree, whatever the guard calls
 * it: a guard that waits without a hold is late all the same.
 */
export class Lateness {
  readonly #honest: Honest
  readonly #late = new Stretch(LATE_MINUTES)
  #last: Instant | null = null

  constructor(honest: Honest) {
    this.#honest = honest
  }

  get count(): number {
    return this.#late.count
  }

  note(now: Instant, { current }: GuardState) {
    const pause = now - (this.#last ?? now)
    this.#last = now
    const reading = readingAt(this.#honest.sources[0]!.observations, now)
    const isLate =
      current !== null &&
      reading !== undefined &&
      outside(this.#honest, current.sell, now) > rightWithin(this.#honest) &&
      isUndisputed(this.#honest, reading, now)
    this.#late.note(isLate, pause)
  }
}
