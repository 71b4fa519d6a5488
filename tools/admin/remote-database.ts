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

/**
 * Values as SQLite literals, for the one place where statements cannot carry parameters:
 * `wrangler d1 execute --remote`.
 */
type SqlValue = string | number | boolean | null | ArrayBuffer | ArrayBufferView

export function sqlLiteral(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number') return numberLiteral(value)
  if (typeof value === 'string') return textLiteral(value)
  return `X'${Buffer.from(bytesOf(value)).toString('hex')}'`
}

/**
 * Replaces the parameters of a statement, `?` in order or `?N`, with literals. Quoted texts,
 * quoted names and comments of the statement are left as they are.
 */
export function inlineParameters(sql: string, values: readonly SqlValue[]): string {
  let next = 0

  return sql.replace(
    /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|\?(\d+)?/g,
    (token, number: string | undefined) => {
      if (!token.startsWith('?')) return token

      const index = number === undefined ? next : Number(number) - 1
      next = Math.max(next, index + 1)
      if (index >= values.length) throw new RangeError(`no value for parameter ${index + 1}`)
      return sqlLiteral(values[index]!)
    },
  )
}

function numberLiteral(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('only finite numbers have a literal')
  // In parentheses: `a-?` with -1 would otherwise become a comment.
  return value < 0 ? `(${value})` : String(value)
}

/** SQLite ends a text at a NUL, so such a text is written as its bytes. */
function textLiteral(text: string): string {
  return text.includes('\0')
    ? `CAST(X'${Buffer.from(text, 'utf8').toString('hex')}' AS TEXT)`
    : `'${text.replaceAll("'", "''")}'`
}

function bytesOf(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value)
}
