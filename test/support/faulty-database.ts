/** The real D1, which fails or waits where a test says so. */
import { aroundDatabase } from '../../shared/db/around.ts'
import { env } from './env.ts'

/** A database out of reach: statements can be built, but none runs. */
export const failing = (message: string) =>
  aroundDatabase(env.DB, () => Promise.reject(new Error(message)))

/** Statements that never end; each calls `asked`. */
export const hanging = (asked: () => void) =>
  aroundDatabase(env.DB, () => {
    asked()
    return new Promise(() => {})
  })

/** A database whose batches run inside `around`. */
export function aroundBatch(
  around: (
    run: () => Promise<D1Result[]>,
    statements: D1PreparedStatement[],
  ) => Promise<D1Result[]>,
): D1Database {
  const batch = (statements: D1PreparedStatement[]) =>
    around(() => env.DB.batch(statements), statements)
  return Object.assign(Object.create(env.DB) as D1Database, { batch })
}

/** Runs `before` and `after` around the `nth` batch. */
export function withBatch(
  nth: number,
  { before, after }: { before?: () => void; after?: () => void },
): D1Database {
  let calls = 0
  return aroundBatch(async (run) => {
    const isIt = ++calls === nth
    if (isIt) before?.()
    const results = await run()
    if (isIt) after?.()
    return results
  })
}

export function loseConnection(): never {
  throw new Error('D1_ERROR: Network connection lost.')
}
