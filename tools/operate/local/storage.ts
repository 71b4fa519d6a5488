import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Names of the local database and namespace. They decide the file names in the state folder, so
 * they are ours and not the identifiers of wrangler.toml, which a deployment may rewrite.
 */
export const LOCAL_DATABASE = 'cotizaciones'
export const LOCAL_BOARD = 'board'

/** Where the local D1 and KV keep their files under a state folder. */
export function storagePath(stateDir: string): string {
  return join(stateDir, 'storage')
}

/** The SQLite file of a state folder's database; null before the first start or command made it. */
export function databaseFile(stateDir: string): string | null {
  const folder = join(storagePath(stateDir), 'd1/miniflare-D1DatabaseObject')
  try {
    const file = readdirSync(folder).find((name) => /^(?!metadata).*\.sqlite$/.test(name))
    return file === undefined ? null : join(folder, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
