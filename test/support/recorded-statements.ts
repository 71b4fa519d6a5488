import { env } from './env.ts'

/** A statement that a file of a `db` folder or of shared/subscriptions prepared. */
export interface RecordedStatement {
  sql: string
  /** As it was bound last. */
  values: unknown[]
  /** The file that called `prepare`, below shared/db, shared or workers; empty for any other, and for drizzle's. */
  file: string
  /** Line and column of the call. */
  site: string
}

/** The test's database, and every statement that is prepared on it. */
export function recordStatements(): { db: D1Database; statements: RecordedStatement[] } {
  const statements: RecordedStatement[] = []
  const prepare = (sql: string): D1PreparedStatement => {
    const recorded: RecordedStatement = { sql, values: [], ...callerOf(new Error().stack) }
    statements.push(recorded)

    const statement = env.DB.prepare(sql)
    const bind = statement.bind.bind(statement)
    statement.bind = (...values) => {
      recorded.values = values
      return bind(...values)
    }
    return statement
  }

  const db = new Proxy(env.DB, {
    get(target, name) {
      if (name === 'prepare') return prepare
      const member = Reflect.get(target, name) as unknown
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return { db, statements }
}

/** Has SQLite compile a statement without running it. Rejects when a name in it is wrong. */
export async function compile({ sql, values }: RecordedStatement): Promise<void> {
  await env.DB.prepare(`explain ${sql}`)
    .bind(...values)
    .all()
}

function callerOf(stack = ''): Pick<RecordedStatement, 'file' | 'site'> {
  // Its text has no call of `prepare`.
  if (stack.includes('drizzle')) return { file: '', site: '' }
  const [, file = '', site = ''] =
    /\/(?:shared\/db|shared(?=\/subscriptions\/)|workers(?=\/\w+\/db\/))\/([\w/.-]+\.ts)[^:\s]*:(\d+:\d+)/.exec(
      stack.replaceAll('/test/shared/', ''),
    ) ?? []
  return { file, site }
}
