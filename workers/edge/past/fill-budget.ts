import { type Day, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'

/** Documents that an isolate makes per minute: each is one query and one write to KV. */
export const FILLS_A_MINUTE = 20

/** Limits how many documents are made per minute, and each of them to one at a time. */
export class FillBudget {
  readonly #making = new Set<Day>()
  #since: Instant = -Infinity
  #count = 0

  /** Whether a document may be made now. Call `done` when it is made. */
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
