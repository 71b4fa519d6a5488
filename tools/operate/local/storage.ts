import { readdirSync, accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { join, dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../support/arguments.ts'

/**
 * Names of the local database and namespace. They determine the file names in the state folder, so
 * they must not depend on the identifiers in wrangler.toml, which an operator may change.
 */
export const LOCAL_DATABASE = 'cotizaciones'
export const LOCAL_BOARD = 'board'

/** Where the local D1 and KV keep their files under a state folder. */
export function storagePath(stateDir: string): string {
  return join(stateDir, 'storage')
}

/** The SQLite file of a state folder's database; null before the first start or command. */
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

/**
 * Reads a text column of a table with one row; null when there is none. Opens the SQLite file
 * itself, because opening the state in a runtime would change it.
 */
export function storedText(stateDir: string, table: string, column: string): string | null {
  const file = databaseFile(stateDir)
  if (file === null) return null

  using database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  const found = database.prepare('select 1 from sqlite_master where name = ?').get(table)
  const row = found && database.prepare(`select ${column} as text from ${table}`).get()
  return (row as { text: string | null } | undefined)?.text ?? null
}

/** Identifies a state's database file. A copy of the database is another file. */
export function placeOf(stateDir: string): string {
  return `file ${statSync(databaseFile(stateDir)!, { bigint: true }).ino}`
}

/** Creates the state folder if it is missing. Throws a `CommandError` if it is not writable. */
export function makeStateFolder(stateDir: string): void {
  try {
    // Checked first: below a read-only file system, mkdir fails with various codes, such as ENOENT.
    for (const path of [nearest(resolve(stateDir)), databaseFile(stateDir)])
      if (path !== null) accessSync(path, constants.W_OK)
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw folderProblem(stateDir, error) ?? error
  }
}

/** The error of a file system call as a `CommandError` in one line; null for any other error. */
export function folderProblem(stateDir: string, error: unknown): CommandError | null {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) return null
  return new CommandError(`${stateDir} cannot be used: ${message}`)
}

function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path))
}
