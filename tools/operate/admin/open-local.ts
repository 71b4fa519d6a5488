import { isWorthPrinting } from '../../support/log-line.ts'
import { openScratch } from '../../support/scratch.ts'
import { createLocalStorage } from '../local/local-storage.ts'
import { migrate } from '../local/migrate.ts'
import { makeStateFolder, storagePath } from '../local/storage.ts'
import { retryWhenBusy } from '../../../workers/standalone/retry-when-busy.ts'

/** The storage of a command. Its disposal closes it. */
export interface Storage extends AsyncDisposable {
  db: D1Database
  kv: KVNamespace
}

/**
 * Opens the D1 and KV of a state folder; creates and migrates them when needed. A running service
 * may have them open too: they are SQLite files, and a write is retried while they are locked.
 */
export async function openLocal(stateDir: string, warn?: (line: string) => void): Promise<Storage> {
  makeStateFolder(stateDir)

  const storage = createLocalStorage()
  // Loaded late, because it takes most of a command's start and not all commands need it.
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare')
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      handleStructuredLogs: ({ message }) => {
        if (isWorthPrinting(message)) console.error(message)
      },
      resourcePersistencePath: storagePath(stateDir),
      workers: [storage.worker],
    }),
  )
  try {
    const { db: once, kv } = storage.over((url, init) => miniflare.dispatchFetch(url, init))
    const db = retryWhenBusy(once)
    await migrate(db, warn)

    return { db, kv, [Symbol.asyncDispose]: () => miniflare.dispose() }
  } catch (error) {
    // An open runtime would keep the process of the command alive.
    await miniflare.dispose()
    throw error
  }
}

/** An empty, migrated D1 and an empty KV, which the disposal deletes. */
export async function openScratchStorage(): Promise<Storage> {
  const scratch = openScratch()
  const { db, kv, ...storage } = await openLocal(scratch.path)
  return {
    db,
    kv,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      scratch[Symbol.dispose]()
    },
  }
}
