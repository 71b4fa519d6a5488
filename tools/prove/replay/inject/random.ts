/** A seeded stream of numbers: the same seed and name give the same trials, whatever else runs. */
export class Random {
  #state: number

  constructor(seed: number, name: string) {
    this.#state = seed >>> 0
    for (const char of name) {
      this.#state = Math.imul(this.#state ^ char.codePointAt(0)!, 0x01000193) >>> 0
    }
    for (let warm = 0; warm < 4; warm += 1) this.unit()
  }

  /** At least 0 and less than 1 (mulberry32). */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit()
  }

  /** Evenly over the logarithm: as many short ones as long ones. */
  logBetween(low: number, high: number): number {
    return low * (high / low) ** this.unit()
  }

  coin(): boolean {
    return this.unit() < 0.5
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T {
    return items[Math.floor(this.unit() * items.length)]!
  }
}
