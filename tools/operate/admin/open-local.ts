import { isWorthPrinting } from '../../support/log-line.ts'
import { openScratch } from '../../support/scratch.ts'
import { createLocalStorage } from '../local/local-storage.ts'
import { migrate } from '../local/migrate.ts'
import { makeStateFolder, storagePath } from '../local/storage.ts'
import { retryWhenBusy } from '../../../workers/standalone/retry-when-busy.ts'

/** The storage that a command works on. It is closed when the command ends. */
export interface Storage extends AsyncDisposable {
  db: D1Database
  kv: KVNamespace
}

/**
 * The D1 and KV of a state folder, made and migrated when they are missing. A running service may
 * have them open as well: they are SQLite files, and a write that meets its lock is tried again.
 */
export async function openLocal(stateDir: string, warn?: (line: string) => void): Promise<Storage> {
  makeStateFolder(stateDir)

  const storage = createLocalStorage()
  // Loaded late: it takes most of a command's start, and some commands open no storage.
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
    // While the runtime is open, the command does not end.
    await miniflare.dispose()
    throw error
  }
}

/** An empty, migrated D1 and a KV, which are gone when disposed of. */
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
