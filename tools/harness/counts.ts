/** How often each thing happened. */
export class Counts {
  readonly #counts = new Map<string, number>()

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
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
