/** What the statements of a database cost, by D1's own count. */
export interface Cost {
  roundTrips: number
  queries: number
  read: number
  written: number
}

/** The database, and a running count of what is asked of it through `batch` and `run`. */
export function countCost(db: D1Database): { db: D1Database; cost: Cost } {
  const cost: Cost = { roundTrips: 0, queries: 0, read: 0, written: 0 }
  const add = (results: D1Result[]) => {
    cost.roundTrips += 1
    cost.queries += results.length
    for (const { meta } of results) {
      cost.read += meta.rows_read
      cost.written += meta.rows_written
    }
  }

  const counted = new Proxy(db, {
    get(target, name) {
      if (name === 'batch')
        return async (statements: D1PreparedStatement[]) => {
          const results = await target.batch(statements)
          add(results)
          return results
        }
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { db: counted, cost }
}
