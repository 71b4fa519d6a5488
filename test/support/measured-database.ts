import {
  databaseOver,
  type Query,
  type RunQueries,
} from '../../tools/operate/local/database-over.ts'
import { env } from './env.ts'

/** A database whose executions all pass through `around`. A single statement is a batch of one. */
export function aroundStatements(
  binding: D1Database,
  around: (statements: readonly Query[], execute: RunQueries) => ReturnType<RunQueries>,
): D1Database {
  const execute: RunQueries = (statements) =>
    binding.batch<Record<string, unknown>>(
      statements.map(({ sql, values }) => binding.prepare(sql).bind(...values)),
    )
  return databaseOver((statements) => around(statements, execute))
}

export interface Spent {
  roundTrips: number
  /** Statements, of which D1 allows a thousand an invocation. */
  queries: number
  rowsRead: number
  rowsWritten: number
}

const NOTHING: Spent = { roundTrips: 0, queries: 0, rowsRead: 0, rowsWritten: 0 }

/** The test's D1, which counts round trips and rows, as D1 itself reports them. */
export function measuredDatabase() {
  let spent = { ...NOTHING }
  const db = aroundStatements(env.DB, async (statements, execute) => {
    const results = await execute(statements)
    spent.roundTrips += 1
    spent.queries += statements.length
    for (const { meta } of results) {
      spent.rowsRead += meta.rows_read
      spent.rowsWritten += meta.rows_written
    }
    return results
  })
  return { db, spent: () => ({ ...spent }), forget: () => (spent = { ...NOTHING }) }
}
