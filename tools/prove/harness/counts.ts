export class Counts {
  readonly #counts = new Map<string, number>()

  add(name: string): void {
    this.#counts.set(name, this.get(name) + 1)
  }

  /** Keeps the larger of a number and the one before it. */
  raise(name: string, value: number): void {
    this.#counts.set(name, Math.max(this.get(name), value))
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  toString(): string {
    const entries = [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return entries.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'
  }
}
