/** Examples kept of each kind: a defect that repeats all hour must not fill the memory. */
const EXAMPLES = 3

/** What went wrong while the service ran, by kind. */
export class Findings {
  #kinds = new Map<string, { count: number; examples: string[] }>()

  add(kind: string, example: string): void {
    const found = this.#kinds.get(kind) ?? { count: 0, examples: [] }
    found.count += 1
    if (found.examples.length < EXAMPLES) found.examples.push(example)
    this.#kinds.set(kind, found)
  }

  get(kind: string): { count: number; examples: readonly string[] } {
    return this.#kinds.get(kind) ?? { count: 0, examples: [] }
  }
}

/** How often each thing happened, for the report. */
export class Counts {
  #counts = new Map<string, number>()

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  toString(): string {
    const entries = [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return entries.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'
  }
}
