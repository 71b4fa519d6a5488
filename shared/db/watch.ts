import { aroundDatabase } from './around.ts'

export interface WatchedDatabase {
  db: D1Database
  /** Whether a call has failed so far. */
  failed: () => boolean
}

/**
 * The same database for one request, and whether a call of it failed. What stands between us and
 * it may swallow an error or throw another; this does not depend on the words of one.
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
