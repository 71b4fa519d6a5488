import { openScratch } from '../../support/scratch.ts'
import { createLocalStorage } from '../local/local-storage.ts'
import { openMiniflare } from '../local/miniflare.ts'
import { migrate } from '../local/migrate.ts'
import { makeStateFolder, LOCAL_BOARD, LOCAL_DATABASE, storagePath } from '../local/storage.ts'
import { retryWhenBusy } from '../../../workers/standalone/retry-when-busy.ts'

/** The storage that a command works on; disposed of when the command ends. */
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
  const modules = { 'admin.js': storage.module }
  const miniflare = await openMiniflare(storagePath(stateDir), modules, {
    DB: { type: 'd1', id: LOCAL_DATABASE },
    BOARD: { type: 'kv', id: LOCAL_BOARD },
    TOKEN: { type: 'text', value: storage.token },
  })
  try {
    const { db: once, kv } = storage.over((url, init) => miniflare.dispatchFetch(url, init))
    const db = retryWhenBusy(once)
    await migrate(db, warn)

    return { db, kv, [Symbol.asyncDispose]: () => miniflare.dispose() }
  } catch (error) {
    // While it is open, the command does not end.
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
