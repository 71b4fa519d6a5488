import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { CycleReport } from '../../../workers/scraper/cycle.ts'
import { CONTROL_PATH, TOKEN_HEADER } from '../../../workers/standalone/control.ts'
import { CommandError } from '../../support/arguments.ts'
import { folderProblem, makeStateFolder } from './storage.ts'

/** The content of the file by which commands and a second start find a running service. */
export interface Running {
  pid: number
  url: string
  token: string
}

const SQLITE_BUSY = 5

/** How long a start waits for a command that is checking the lock. */
const LOCK_MS = 500

/**
 * Locks the state folder for this process, and creates the folder if missing. The lock is SQLite's
 * lock of an empty file: the system releases it when the process dies, even after SIGKILL.
 */
export function claimFolder(stateDir: string) {
  try {
    makeStateFolder(stateDir)
    writeFileSync(lockOf(stateDir), '', { mode: 0o600, flag: 'a' })
  } catch (error) {
    throw folderProblem(stateDir, error) ?? error
  }
  const lock = new DatabaseSync(lockOf(stateDir), { timeout: LOCK_MS })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    const other = readNote(stateDir)
    const whose = other ? `the service at ${other.url} (${other.pid})` : 'another npm start'
    throw new CommandError(`${stateDir} is in use by ${whose}`)
  }
  const forget = () => rmSync(noteOf(stateDir), { force: true })
  forget()
  return {
    /** Writes the file that `findRunning` reads. */
    note: (running: Running) =>
      writeFileSync(noteOf(stateDir), JSON.stringify(running), { mode: 0o600 }),
    [Symbol.dispose]() {
      forget()
      lock.close()
    },
  }
}

/** The service that runs on a state folder, or null. A killed service leaves a note but no lock. */
export function findRunning(stateDir: string): Running | null {
  const running = readNote(stateDir)
  return running && isLocked(stateDir) ? running : null
}

function isLocked(stateDir: string): boolean {
  try {
    using lock = new DatabaseSync(lockOf(stateDir), { readOnly: true, timeout: 0 })
    lock.exec('select 1 from sqlite_master')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_BUSY
}

function readNote(stateDir: string): Running | null {
  try {
    return JSON.parse(readFileSync(noteOf(stateDir), 'utf8')) as Running
  } catch {
    return null
  }
}

function lockOf(stateDir: string): string {
  return join(stateDir, 'lock')
}

function noteOf(stateDir: string): string {
  return join(stateDir, 'running.json')
}

/** Longer than the Worker's own limit for a cycle or a sweep, so only a hung runtime exceeds it. */
const ANSWER_MS = 8 * MINUTE_MS

/** Requests a cycle or a sweep from a running service. */
export function createControl({ url, token }: { url: string; token: string }) {
  async function ask<Value>(what: string): Promise<Value> {
    const headers = { [TOKEN_HEADER]: token }
    const signal = AbortSignal.timeout(ANSWER_MS)
    const response = await fetch(`${url}${CONTROL_PATH}${what}`, {
      method: 'POST',
      headers,
      signal,
    })
    if (!response.ok) throw new Error(`the ${what} failed: see ${what}_failed above`)
    return (await response.json()) as Value
  }

  return {
    cycle: () => ask<CycleReport>('cycle'),
    sweep: () => ask<void>('sweep'),
  }
}
