import { type Day, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'

/** Documents that an isolate makes in a minute: each is one query and one write to KV. */
export const FILLS_A_MINUTE = 20

/** Which documents may be made now: each once at a time, and so many a minute. */
export class FillBudget {
  readonly #making = new Set<Day>()
  #since: Instant = -Infinity
  #count = 0

  /** Whether this one may be made; call `done` when it is. */
  take(day: Day, now: Instant): boolean {
    if (this.#making.has(day)) return false
    if (now >= this.#since + MINUTE_MS || now < this.#since) {
      this.#since = now
      this.#count = 0
    }
    if (this.#count >= FILLS_A_MINUTE) return false

    this.#count++
    this.#making.add(day)
    return true
  }

  done(day: Day): void {
    this.#making.delete(day)
  }
}
