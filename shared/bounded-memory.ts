import type { Instant } from './argentine-time.ts'

/**
 * A cache of limited total weight. It drops the least recently used values first, and does not keep
 * a value heavier than the limit.
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

interface Kept<Value> {
  value: Value
  weight: number
  ends: Instant
}

/**
 * Values by client in the isolate's memory, each kept for `forMs` after it is set. The oldest
 * values are dropped when their time is over, or when all weigh more than `most`.
 */
export class ClientMemory<Value> {
  readonly #forMs: number
  readonly #most: number
  /** Ordered by the end of their time. */
  readonly #kept = new Map<string, Kept<Value>>()
  #weight = 0

  constructor(forMs: number, most: number) {
    this.#forMs = forMs
    this.#most = most
  }

  /** The weight of all clients. */
  get weight(): number {
    return this.#weight
  }

  get(client: string, now: Instant): Value | undefined {
    const kept = this.#kept.get(client)
    return kept && now < kept.ends ? kept.value : undefined
  }

  set(client: string, value: Value, now: Instant, weight = 1): Value {
    this.#forget(client)
    for (const [oldest, { ends }] of this.#kept) {
      if (now < ends && this.#weight < this.#most) break
      this.#forget(oldest)
    }
    this.#kept.set(client, { value, weight, ends: now + this.#forMs })
    this.#weight += weight
    return value
  }

  #forget(client: string): void {
    this.#weight -= this.#kept.get(client)?.weight ?? 0
    this.#kept.delete(client)
  }
}
