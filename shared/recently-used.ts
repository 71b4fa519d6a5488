/**
 * A cache of limited total weight: the value that was not used for longest goes first. A value that
 * is heavier than the limit is not kept.
 */
export class RecentlyUsed<Value> {
  readonly #most: number
  readonly #weightOf: (value: Value, key: string) => number
  /** Ordered by last use. */
  readonly #values = new Map<string, Value>()
  #weight = 0

  constructor(most: number, weightOf: (value: Value, key: string) => number) {
    this.#most = most
    this.#weightOf = weightOf
  }

  /** The weight of all values. */
  get weight(): number {
    return this.#weight
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value !== undefined) {
      this.#values.delete(key)
      this.#values.set(key, value)
    }
    return value
  }

  set(key: string, value: Value): void {
    this.delete(key)
    this.#values.set(key, value)
    this.#weight += this.#weightOf(value, key)
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#most) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const value = this.#values.get(key)
    if (value === undefined) return

    this.#values.delete(key)
    this.#weight -= this.#weightOf(value, key)
  }
}
