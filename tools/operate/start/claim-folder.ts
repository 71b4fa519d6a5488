import { statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../support/arguments.ts'
import { folderProblem, makeStateFolder } from '../local/state-folder.ts'

/** What a start writes, several times over: the database and its journals. */
const ROOM_BYTES = 32 * 2 ** 20

const SQLITE_BUSY = 5

/**
 * The state folder for this process alone, made when it is missing. The lock is SQLite's on an
 * empty file. The system releases it when the process dies, so none is ever left behind.
 */
export function claimFolder(stateDir: string, freeBytes = freeBytesOf): Disposable {
  const file = join(stateDir, 'lock')
  try {
    makeStateFolder(stateDir)
    writeFileSync(file, '', { mode: 0o600, flag: 'a' })
    checkRoom(stateDir, freeBytes(stateDir))
  } catch (error) {
    throw folderProblem(stateDir, error) ?? error
  }
  return lock(stateDir, file)
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function checkRoom(stateDir: string, free: number): void {
  if (free >= ROOM_BYTES) return

  throw new CommandError(
    `${stateDir} cannot be used: ${mebibytes(free)} MiB are free there, ${mebibytes(ROOM_BYTES)} are needed`,
  )
}

const mebibytes = (bytes: number) => Math.floor(bytes / 2 ** 20)

function lock(stateDir: string, file: string): Disposable {
  const holder = new DatabaseSync(file, { timeout: 0 })
  try {
    holder.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    holder.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new CommandError(`${stateDir} is in use by another npm start`)
  }
  return { [Symbol.dispose]: () => holder.close() }
}
