/** A D1 that refuses single statements, so that the real one rolls their batches back. */
import { env } from './env.ts'

/**
 * Whether this execution of a statement is to fail: its text, with `(#)` for a list of row ids, and
 * the how-manieth of that text.
 */
export type Refuses = (sql: string, occurrence: number) => boolean

/**
 * The real database, but where `refuses` says so another statement is executed in place of the one
 * that was asked for, which SQLite fails at; of a batch the first such one, and those behind it are
 * not reached. `executed` lists the texts in their order.
 */
export function failingStatements(refuses: Refuses) {
  const executed: string[] = []
  const counts = new Map<string, number>()
  const real = new WeakMap<object, { sql: string; statement: D1PreparedStatement }>()

  function isRefused(sql: string): boolean {
    const occurrence = (counts.get(sql) ?? 0) + 1
    counts.set(sql, occurrence)
    executed.push(sql)
    return refuses(sql, occurrence)
  }

  function wrap(sql: string, statement: D1PreparedStatement): D1PreparedStatement {
    const toExecute = () => (isRefused(sql) ? failing() : statement)
    const wrapped = {
      bind: (...values: unknown[]) => wrap(sql, statement.bind(...values)),
      all: async () => toExecute().all(),
      run: async () => toExecute().run(),
      first: async () => toExecute().first(),
    } as unknown as D1PreparedStatement
    real.set(wrapped, { sql, statement })
    return wrapped
  }

  const db = {
    prepare: (sql: string) => wrap(withoutIds(sql), env.DB.prepare(sql)),
    async batch(wrapped: D1PreparedStatement[]) {
      const statements = wrapped.map((one) => real.get(one)!)
      const refused = statements.findIndex(({ sql }) => isRefused(sql))
      return env.DB.batch(
        statements.map(({ statement }, index) => (index === refused ? failing() : statement)),
      )
    },
  } as unknown as D1Database
  return { db, executed }
}

function withoutIds(sql: string): string {
  return sql.replace(/\(\d+(?:, \d+)*\)/g, '(#)').replace(/\(#\)(?:, \(#\))+/g, '(#)')
}

/** Prepared without a complaint, and an integer overflow when it is executed. */
function failing(): D1PreparedStatement {
  return env.DB.prepare('select abs(-9223372036854775807 - 1)')
}
