/**
 * A cache of limited total weight. It drops the least recently used values first, and does not keep
 * a value heavier than the limit. Weighs a value only when it is set.
 */
export class RecentlyUsed<Value> {
  readonly #most: number
  readonly #weightOf: (value: Value, key: string) => number
  /** Ordered by last use. */
  readonly #kept = new Map<string, { value: Value; weight: number }>()
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
    const kept = this.#kept.get(key)
    if (!kept) return undefined

    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.value
  }

  set(key: string, value: Value): void {
    this.delete(key)
    const weight = this.#weightOf(value, key)
    this.#kept.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#most) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0
    this.#kept.delete(key)
  }
}
