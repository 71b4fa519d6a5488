import { inlineParameters, type SqlValue } from './sql-literal.ts'

/** Runs statements in order, all or nothing, and gives one result for each. */
export type Execute = (statements: string[]) => Promise<D1Result<Record<string, unknown>>[]>

/**
 * The part of `D1Database` that commands use, over anything that runs SQL texts. `raw` reads rows
 * by column name, so a query must not name two columns alike.
 */
export function remoteDatabase(execute: Execute): D1Database {
  const database = {
    prepare: (sql: string) => new Statement(execute, sql, []),
    batch: async (statements: Statement[]) =>
      statements.length === 0 ? [] : execute(statements.map(({ text }) => text)),
    exec: () => refuse('exec'),
    dump: () => refuse('dump'),
    withSession: () => refuse('withSession'),
  }
  return database as unknown as D1Database
}

class Statement {
  readonly #execute: Execute
  readonly #sql: string
  readonly #values: readonly SqlValue[]

  constructor(execute: Execute, sql: string, values: readonly SqlValue[]) {
    this.#execute = execute
    this.#sql = sql
    this.#values = values
  }

  get text(): string {
    return inlineParameters(this.#sql, this.#values)
  }

  bind(...values: SqlValue[]): Statement {
    return new Statement(this.#execute, this.#sql, values)
  }

  async all() {
    const [result] = await this.#execute([this.text])
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

function refuse(method: string): never {
  throw new Error(`${method} is not available on a remote database`)
}
