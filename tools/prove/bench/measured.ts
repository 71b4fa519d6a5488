import type { Figure } from './bench.ts'

export interface Spent {
  roundTrips: number
  rowsRead: number
  rowsWritten: number
}

/** A D1 that counts round trips and rows, as D1 itself reports them, and notes its statements. */
export function measured(binding: D1Database) {
  let spent: Spent = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }
  const statements: { sql: string; parameters: number }[] = []
  /** Milliseconds that each batch took. */
  const batches: number[] = []
  const real = new WeakMap<object, D1PreparedStatement>()

  function count(results: D1Result[]): void {
    spent.roundTrips += 1
    for (const { meta } of results) {
      spent.rowsRead += meta.rows_read
      spent.rowsWritten += meta.rows_written
    }
  }

  function measure(sql: string, parameters: number, statement: D1PreparedStatement) {
    statements.push({ sql, parameters })
    async function all() {
      const result = await statement.all()
      count([result])
      return result
    }
    const measured = {
      bind: (...values: unknown[]) => measure(sql, values.length, statement.bind(...values)),
      all,
      run: all,
      first: async () => (await all()).results[0] ?? null,
    } as unknown as D1PreparedStatement
    real.set(measured, statement)
    return measured
  }

  const db = {
    prepare: (sql: string) => measure(sql, 0, binding.prepare(sql)),
    async batch(list: D1PreparedStatement[]) {
      const begin = performance.now()
      const results = await binding.batch(list.map((statement) => real.get(statement)!))
      batches.push(performance.now() - begin)
      count(results)
      return results
    },
  } as unknown as D1Database

  return {
    db,
    spent: () => ({ ...spent }),
    forget: () => (spent = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }),
    statements,
    batches,
  }
}

/** The cost of one operation beside its limits; a missing limit is none. */
export function costFigures(name: string, cost: Spent, atMost: Partial<Spent> = {}): Figure[] {
  const of = (what: string, key: keyof Spent): Figure => ({
    name: `${name}: ${what}`,
    value: cost[key],
    ...(atMost[key] !== undefined && { atMost: atMost[key] }),
  })
  return [
    of('round trips', 'roundTrips'),
    of('rows read', 'rowsRead'),
    of('rows written', 'rowsWritten'),
  ]
}
