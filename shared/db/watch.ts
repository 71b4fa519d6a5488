import { aroundDatabase } from './around.ts'

export interface WatchedDatabase {
  db: D1Database
  /** Whether a call has failed so far. */
  failed: () => boolean
}

/**
 * The same database for one request, and whether one of its calls failed. Code in between, such as the
 * sign-in library, may swallow an error or replace it.
 */
export function watchDatabase(db: D1Database): WatchedDatabase {
  let hasFailed = false

  return {
    db: aroundDatabase(db, async (call) => {
      try {
        return await call()
      } catch (error) {
        hasFailed = true
        throw error
      }
    }),
    failed: () => hasFailed,
  }
}
