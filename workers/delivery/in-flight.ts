/** Most attempts at once in one isolate: what bounds memory, with every receiver hanging. */
export const MAX_IN_FLIGHT = 48

/** Most attempts at once to one host from one isolate: a host that hangs costs no more than these. */
export const MAX_PER_HOST = 6

/**
 * The attempts under way in this isolate, and the rows that wait for a place at their host. Plain
 * numbers: nothing here belongs to an invocation, and nothing is lost with it but time.
 */
export class InFlight {
  #byOrigin = new Map<string, number>()
  #waiting = new Map<string, Set<number>>()
  #total = 0

  get total(): number {
    return this.#total
  }

  /** Attempts per origin, as the claim wants them. */
  busy(): Record<string, number> {
    return Object.fromEntries(this.#byOrigin)
  }

  /** Keeps a row until an attempt to its host ends; false when none is under way to wait for. */
  hold(origin: string, id: number): boolean {
    if (!this.#byOrigin.has(origin)) return false

    const waiting = this.#waiting.get(origin) ?? new Set()
    this.#waiting.set(origin, waiting.add(id))
    return true
  }

  /** At most `count` rows that wait for a host, the longest waiting first. */
  take(origin: string, count: number): number[] {
    const waiting = this.#waiting.get(origin) ?? new Set()
    const taken = [...waiting].slice(0, count)
    for (const id of taken) waiting.delete(id)
    if (waiting.size === 0) this.#waiting.delete(origin)
    return taken
  }

  async during<Value>(origin: string, work: () => Promise<Value>): Promise<Value> {
    this.#add(origin, 1)
    try {
      return await work()
    } finally {
      this.#add(origin, -1)
    }
  }

  #add(origin: string, change: 1 | -1) {
    const count = (this.#byOrigin.get(origin) ?? 0) + change
    if (count === 0) this.#byOrigin.delete(origin)
    else this.#byOrigin.set(origin, count)
    this.#total += change
  }
}
