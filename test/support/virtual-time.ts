import type { Instant } from '../../shared/argentine-time.ts'

/** How many turns of the event loop without work of the database are taken for rest. */
const REST = 4

/** A clock that moves to the next timer when everything that the work could do is done. */
export class VirtualTime {
  #now: Instant
  #timers: { at: Instant; ring: () => void }[] = []
  /** What is under way in real time, and ends by itself. */
  #busy = 0

  constructor(now: Instant) {
    this.#now = now
  }

  readonly now = (): Instant => this.#now

  readonly sleep = (ms: number): Promise<void> =>
    new Promise((ring) => {
      this.#timers.push({ at: this.#now + ms, ring })
    })

  /** The clock stands while this is under way. */
  async standing<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#busy += 1
    try {
      return await work()
    } finally {
      this.#busy -= 1
    }
  }

  /** The value of `work`; how long it took is what the clock says. */
  async run<Value>(work: Promise<Value>): Promise<Value> {
    let isOver = false
    const over = work.finally(() => {
      isOver = true
    })
    over.catch(() => {})
    while (true) {
      await this.#rest()
      if (isOver) return over
      this.#ringNext()
    }
  }

  async #rest(): Promise<void> {
    for (let quiet = 0; quiet < REST; quiet = this.#busy > 0 ? 0 : quiet + 1)
      await new Promise((resolve) => setTimeout(resolve, 0))
  }

  #ringNext(): void {
    const next = Math.min(...this.#timers.map(({ at }) => at))
    if (!Number.isFinite(next)) throw new Error('nothing moves any more')
    this.#now = Math.max(this.#now, next)
    const due = this.#timers.filter(({ at }) => at <= this.#now)
    this.#timers = this.#timers.filter(({ at }) => at > this.#now)
    for (const { ring } of due) ring()
  }
}
