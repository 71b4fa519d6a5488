/** A D1 that refuses single statements, so that the real one rolls their batches back. */
import { aroundStatements } from '../../tools/prove/harness/statements.ts'
import { env } from './env.ts'

/**
 * Whether this execution of a statement is to fail: its text, with `(#)` for a list of row ids, and
 * the how-manieth of that text.
 */
export type Refuses = (sql: string, occurrence: number) => boolean

/** Prepared without a complaint, and an integer overflow when it is executed. */
const FAILING = { sql: 'select abs(-9223372036854775807 - 1)', values: [] }

/**
 * The real database, but where `refuses` says so another statement is executed in place of the one
 * that was asked for, which SQLite fails at; of a batch the first such one, and those behind it are
 * not reached. `executed` lists the texts in their order.
 */
export function failingStatements(refuses: Refuses) {
  const executed: string[] = []
  const counts = new Map<string, number>()

  function isRefused(text: string): boolean {
    const sql = withoutIds(text)
    const occurrence = (counts.get(sql) ?? 0) + 1
    counts.set(sql, occurrence)
    executed.push(sql)
    return refuses(sql, occurrence)
  }

  const db = aroundStatements(env.DB, (statements, execute) => {
    const refused = statements.findIndex(({ sql }) => isRefused(sql))
    return execute(refused === -1 ? statements : statements.with(refused, FAILING))
  })
  return { db, executed }
}

function withoutIds(sql: string): string {
  return sql.replace(/\(\d+(?:, \d+)*\)/g, '(#)').replace(/\(#\)(?:, \(#\))+/g, '(#)')
}
