import { aroundBatch } from './batched-db.ts'

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

  const counted = aroundBatch(async (run) => {
    const results = await run()
    add(results)
    return results
  }, db)
  return { db: counted, cost }
}
