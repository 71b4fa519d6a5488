import { aroundDatabase } from '../../shared/db/around.ts'

const ATTEMPTS = 40
const WAIT_MS = 100

/**
 * The messages of a locked database. The last appears when the local D1 cannot write the bookmark
 * that ends a transaction, which rolls the transaction back too.
 */
const busy = /SQLITE_BUSY|database is locked|Failed to get session commit token/

/**
 * The same database, but a call that finds it locked by another process is repeated for about four
 * seconds. This is safe for any statement, because a refused statement changed nothing.
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
