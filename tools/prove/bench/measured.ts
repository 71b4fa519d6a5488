export interface Spent {
  roundTrips: number
  rowsRead: number
  rowsWritten: number
}

const NOTHING: Spent = { roundTrips: 0, rowsRead: 0, rowsWritten: 0 }

/** Counts round trips and rows, as D1 itself reports them. */
export function measured(binding: D1Database) {
  let spent = { ...NOTHING }
  const real = new WeakMap<object, D1PreparedStatement>()

  function count(results: D1Result[]): void {
    spent.roundTrips += 1
    for (const { meta } of results) {
      spent.rowsRead += meta.rows_read
      spent.rowsWritten += meta.rows_written
    }
  }

  function measure(statement: D1PreparedStatement) {
    async function all() {
      const result = await statement.all()
      count([result])
      return result
    }
    const measured = {
      bind: (...values: unknown[]) => measure(statement.bind(...values)),
      all,
      run: all,
      first: async () => (await all()).results[0] ?? null,
    } as unknown as D1PreparedStatement
    real.set(measured, statement)
    return measured
  }

  const db = {
    prepare: (sql: string) => measure(binding.prepare(sql)),
    async batch(list: D1PreparedStatement[]) {
      const results = await binding.batch(list.map((statement) => real.get(statement)!))
      count(results)
      return results
    },
  } as unknown as D1Database
  return { db, spent: () => ({ ...spent }), forget: () => (spent = { ...NOTHING }) }
}
