/**
 * The database as SQLite itself writes it, in WebAssembly and in memory. Loaded by a build of the
 * files alone: the library weighs ten times what the rest of the Worker does.
 */
import initSqlJs, { type SqlJsStatic } from 'sql.js'
import type { DailyCloses } from '../daily-closes.ts'
import { sqlStatements } from './sql.ts'

/** The bytes of the file. The same closes always give the same bytes. */
export async function toSqlite(
  closes: DailyCloses,
  compiled: WebAssembly.Module,
): Promise<Uint8Array> {
  const { Database } = await startSqlite(compiled)
  const database = new Database()
  try {
    // A failed database is discarded, so it needs no journal.
    database.run('pragma journal_mode = off; pragma synchronous = off; begin')
    for (const statement of sqlStatements(closes)) database.run(statement)
    database.run('commit')
    return database.export()
  } finally {
    database.close()
  }
}

/**
 * A Worker may not compile WebAssembly, so the module comes compiled. The library takes the Worker
 * for one of a browser and reads its address, although it is given the module.
 */
export function startSqlite(compiled: WebAssembly.Module): Promise<SqlJsStatic> {
  const place = globalThis as { location?: unknown }
  place.location = { href: '' }
  try {
    return initSqlJs({
      instantiateWasm(imports, receive) {
        const instance = new WebAssembly.Instance(compiled, imports)
        receive(instance)
        return instance.exports as WebAssembly.Exports
      },
    })
  } finally {
    delete place.location
  }
}
