/** Most attempts at once in one isolate: what bounds memory, with every receiver hanging. */
export const MAX_IN_FLIGHT = 48

/** Most attempts at once to one host from one isolate: a host that hangs costs no more than these. */
export const MAX_PER_HOST = 6

/** The attempts under way in this isolate. Plain counts: nothing here belongs to an invocation. */
export class InFlight {
  #byOrigin = new Map<string, number>()
  #total = 0

  get total(): number {
    return this.#total
  }

  /** Attempts per origin, as the claim wants them. */
  busy(): Record<string, number> {
    return Object.fromEntries(this.#byOrigin)
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
