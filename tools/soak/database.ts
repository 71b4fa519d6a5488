import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { storagePath } from '../local/storage.ts'

/** Reads the service's own database, beside it or after it was killed. */
export function queryState<Row>(stateDir: string, sql: string): Row[] {
  const folder = storagePath(stateDir)
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
    (path) => path.includes('d1') && path.endsWith('.sqlite') && !path.includes('metadata'),
  )!
  using database = new DatabaseSync(join(folder, file), { readOnly: true, timeout: 5000 })
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }) as Row)
}
