import { databaseOver, type SqlValue } from '../local/database-over.ts'

/** Runs SQL texts in order, all or nothing, and returns one result for each. */
export type Execute = (statements: string[]) => Promise<D1Result<Record<string, unknown>>[]>

/** A database that takes only SQL texts: the parameters are written into them. */
export function remoteDatabase(execute: Execute): D1Database {
  return databaseOver((queries) =>
    execute(queries.map(({ sql, values }) => inlineParameters(sql, values))),
  )
}

/**
 * A value as an SQLite literal, for the one place where statements cannot carry parameters:
 * `wrangler d1 execute --remote`.
 */
export function sqlLiteral(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number') return numberLiteral(value)
  return textLiteral(value)
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
