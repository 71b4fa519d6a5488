import { existsSync, mkdirSync } from 'node:fs'
import { openScratch } from '../harness/scratch.ts'
import { createLocalDatabase } from '../local/local-database.ts'
import { openMiniflare } from '../local/miniflare.ts'
import { migrate } from '../local/migrate.ts'
import { LOCAL_BOARD, LOCAL_DATABASE, storagePath } from '../local/storage.ts'
import { retryWhenBusy } from '../../shared/db/retry-when-busy.ts'

/** The storage that a command works on; disposed of when the command ends. */
export interface Storage extends AsyncDisposable {
  db: D1Database
  kv: KVNamespace
}

/**
 * The D1 and KV of a state folder, made and migrated when they are missing. A running service may
 * have them open as well: they are SQLite files, and a write that meets its lock is tried again.
 */
export async function openLocal(stateDir: string): Promise<Storage> {
  if (!existsSync(stateDir)) mkdirSync(stateDir, { recursive: true, mode: 0o700 })

  const database = createLocalDatabase()
  const modules = { 'admin.js': database.module }
  const miniflare = openMiniflare(storagePath(stateDir), modules, {
    DB: { type: 'd1', id: LOCAL_DATABASE },
    BOARD: { type: 'kv', id: LOCAL_BOARD },
    TOKEN: { type: 'text', value: database.token },
  })
  try {
    const { BOARD } = await miniflare.getBindings<{ BOARD: KVNamespace }>()
    const db = retryWhenBusy(database.over((url, init) => miniflare.dispatchFetch(url, init)))
    await migrate(db)

    return { db, kv: BOARD, [Symbol.asyncDispose]: () => miniflare.dispose() }
  } catch (error) {
    // An open one would keep the command from ending.
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
