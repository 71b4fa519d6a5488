import { databaseOver, type Query, type RunQueries } from '../../operate/local/database-over.ts'

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
