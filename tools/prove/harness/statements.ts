import { databaseOver, type Query, type RunQueries } from '../../operate/local/database-over.ts'

/** The same database, whose executions all pass through `around`: of one statement as a batch of one. */
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
