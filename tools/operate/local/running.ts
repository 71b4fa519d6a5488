import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { CycleReport } from '../../../workers/scraper/cycle.ts'
import { CONTROL_PATH, type CycleOrder, TOKEN_HEADER } from '../../../workers/standalone/control.ts'

/** What a running service leaves in its state folder, for `admin cycle` and for a second start. */
export interface Running {
  pid: number
  url: string
  token: string
  /** The options of its start. */
  args: readonly string[]
  /** Which sources its cycles ask. */
  order: CycleOrder
}

/**
 * The service that runs on a state folder, or null when none does. A killed service leaves its
 * file, and another process may have its id by now. So the address in the file must also listen.
 */
export async function findRunning(stateDir: string): Promise<Running | null> {
  try {
    const running = JSON.parse(readFileSync(fileOf(stateDir), 'utf8')) as Running
    process.kill(running.pid, 0)
    return (await isListening(new URL(running.url))) ? running : null
  } catch {
    return null
  }
}

/** A stopped or busy process still listens: the system accepts for it. */
function isListening({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const answer = (listens: boolean) => () => {
      socket.destroy()
      resolve(listens)
    }
    socket.once('connect', answer(true)).once('error', answer(false))
  })
}

export function noteRunning(stateDir: string, running: Running): void {
  writeFileSync(fileOf(stateDir), JSON.stringify(running), { mode: 0o600 })
}

/** Removes the file of the service with this token, not another's. */
export function forgetRunning(stateDir: string, token: string): void {
  try {
    const left = JSON.parse(readFileSync(fileOf(stateDir), 'utf8')) as Running
    if (left.token === token) rmSync(fileOf(stateDir), { force: true })
  } catch {
    // Nothing to forget, or nothing that could be read.
  }
}

function fileOf(stateDir: string): string {
  return join(stateDir, 'running.json')
}

/** Longer than the Worker gives any turn: it answers, unless the runtime itself hangs. */
const ANSWER_MS = 8 * MINUTE_MS

/** Says "now" to a running service. */
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
