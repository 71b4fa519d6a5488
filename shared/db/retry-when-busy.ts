import { aroundDatabase } from './around.ts'

const ATTEMPTS = 40
const WAIT_MS = 100

/**
 * How the lock shows: by its name, or when the bookmark that ends every transaction of the local
 * D1 cannot be written, which hides the name and rolls the transaction back all the same.
 */
const busy = /SQLITE_BUSY|database is locked|Failed to get session commit token/

/**
 * The same database, but a call that meets the lock of another process on the same local state is
 * made again, for about four seconds. Safe for any statement: a refused one has changed nothing.
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
