/** A statement, and what is bound to it. */
export interface Statement {
  sql: string
  values: readonly unknown[]
}

/** Executes statements in one batch. */
type Execute = (statements: readonly Statement[]) => Promise<D1Result[]>

/** The same database, whose executions all pass through `around`: of one statement as a batch of one. */
export function aroundStatements(
  binding: D1Database,
  around: (statements: readonly Statement[], execute: Execute) => Promise<D1Result[]>,
): D1Database {
  const wrapped = new WeakMap<object, Statement>()
  const execute: Execute = (statements) =>
    binding.batch(
      statements.map(({ sql, values }) => {
        const statement = binding.prepare(sql)
        return values.length > 0 ? statement.bind(...values) : statement
      }),
    )

  function wrap(statement: Statement): D1PreparedStatement {
    const all = async () => (await around([statement], execute))[0]!
    const made = {
      bind: (...values: unknown[]) => wrap({ ...statement, values }),
      all,
      run: all,
      first: async () => (await all()).results[0] ?? null,
    } as unknown as D1PreparedStatement
    wrapped.set(made, statement)
    return made
  }

  return {
    prepare: (sql: string) => wrap({ sql, values: [] }),
    batch: (list: D1PreparedStatement[]) =>
      around(
        list.map((one) => wrapped.get(one)!),
        execute,
      ),
  } as unknown as D1Database
}
