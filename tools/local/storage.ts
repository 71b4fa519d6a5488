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
