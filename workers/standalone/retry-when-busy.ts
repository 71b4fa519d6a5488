import { aroundDatabase } from '../../shared/db/around.ts'

const ATTEMPTS = 40
const WAIT_MS = 100

/**
 * Signs of a locked database. The last appears when the bookmark that ends a transaction of the
 * local D1 cannot be written; that rolls the transaction back too.
 */
const busy = /SQLITE_BUSY|database is locked|Failed to get session commit token/

/**
 * The same database, but calls that find it locked by another process on the same local state are
 * repeated for about four seconds. Safe for any statement, because a refused one changed nothing.
 */
export function retryWhenBusy(db: D1Database, wait: () => Promise<unknown> = sleep): D1Database {
  return aroundDatabase(db, async (call) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call()
      } catch (error) {
        if (attempt === ATTEMPTS || !busy.test(String(error))) throw error
        await wait()
      }
    }
  })
}

const sleep = () => new Promise((resolve) => setTimeout(resolve, WAIT_MS))
