import { MINUTE_MS } from '../../../../shared/argentine-time.ts'

/** The longest unbroken time that something was so, in minutes. */
export class Stretch {
  longest = 0
  /** How many of them lasted longer than what was asked for. */
  count = 0
  readonly #counted: number
  #since = -1

  constructor(counted = Infinity) {
    this.#counted = counted
  }

  /** `pause` is the time since the last cycle, in milliseconds. */
  note(isSo: boolean, pause: number) {
    if (!isSo) {
      this.#since = -1
      return
    }
    const before = this.#since
    this.#since = before < 0 ? 0 : before + pause / MINUTE_MS
    this.longest = Math.max(this.longest, this.#since)
    if (before <= this.#counted && this.#since > this.#counted) this.count += 1
  }
}
