import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandError } from '../../support/arguments.ts'
import { databaseFile } from './storage.ts'

/** Makes the state folder where it is missing. A `CommandError` when it cannot be written to. */
export function makeStateFolder(stateDir: string): void {
  try {
    // Asked first: a read-only file system calls a folder below it by many names, ENOENT among them.
    for (const path of [nearest(resolve(stateDir)), databaseFile(stateDir)])
      if (path !== null) accessSync(path, constants.W_OK)
    mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw folderProblem(stateDir, error) ?? error
  }
}

/** Why a folder cannot be used, in one line; null for an error that has another cause. */
export function folderProblem(stateDir: string, error: unknown): CommandError | null {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) return null
  return new CommandError(`${stateDir} cannot be used: ${message}`)
}

function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path))
}
