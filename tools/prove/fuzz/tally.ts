import { Counts } from '../harness/counts.ts'

/** How many requests of each route were sent, and how they were answered. */
export class Tally {
  readonly #rows = new Map<string, Counts>()

  count(route: string, asIs: boolean, answered: number | 'runtime' | 'none', ms: number): void {
    for (const name of [route, 'all']) {
      const row = this.#rows.get(name) ?? new Counts()
      this.#rows.set(name, row)
      row.add('sent')
      if (asIs) row.add('as is')
      row.add(String(answered))
      row.raise('slowest ms', Math.round(ms))
    }
  }

  /** A row for each route, in the order of the names, and their sum. */
  table(names: readonly string[]): Record<string, Record<string, number>> {
    const rows = [...names, 'all'].flatMap((name) => {
      const row = this.#rows.get(name)
      return row ? [[name, row.toJSON()] as const] : []
    })
    return Object.fromEntries(rows)
  }
}
