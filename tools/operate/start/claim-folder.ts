import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../support/arguments.ts'
import { folderProblem, makeStateFolder } from '../local/state-folder.ts'

const SQLITE_BUSY = 5

/**
 * The state folder for this process alone, made when it is missing. The lock is SQLite's on an
 * empty file. The system releases it when the process dies, so none is ever left behind.
 */
export function claimFolder(stateDir: string): Disposable {
  const file = join(stateDir, 'lock')
  try {
    makeStateFolder(stateDir)
    writeFileSync(file, '', { mode: 0o600, flag: 'a' })
  } catch (error) {
    throw folderProblem(stateDir, error) ?? error
  }
  return lock(stateDir, file)
}

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
