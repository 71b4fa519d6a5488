/** The value of a parameter. No table stores bytes. */
export type SqlValue = string | number | boolean | null

/** A statement with its parameters. */
export interface Query {
  sql: string
  values: readonly SqlValue[]
}

/** Runs statements in order, all or nothing, and returns one result for each. */
export type RunQueries = (queries: readonly Query[]) => Promise<D1Result<Record<string, unknown>>[]>

/**
 * The part of `D1Database` that tools use, on top of any function that runs statements. `raw` reads
 * rows by column name, so the columns of a query need different names.
 */
export function databaseOver(run: RunQueries): D1Database {
  const database = {
    prepare: (sql: string) => new Statement(run, { sql, values: [] }),
    batch: async (statements: Statement[]) =>
      statements.length === 0 ? [] : run(statements.map(({ query }) => query)),
  }
  return database as unknown as D1Database
}

class Statement {
  readonly #run: RunQueries
  readonly query: Query

  constructor(run: RunQueries, query: Query) {
    this.#run = run
    this.query = query
  }

  bind(...values: SqlValue[]): Statement {
    return new Statement(this.#run, { ...this.query, values })
  }

  async all() {
    const [result] = await this.#run([this.query])
    return result!
  }

  async run() {
    return this.all()
  }

  async first(column?: string) {
    const row = (await this.all()).results[0]
    if (!row) return null
    return column === undefined ? row : (row[column] ?? null)
  }

  async raw() {
    return (await this.all()).results.map((row) => Object.values(row))
  }
}
