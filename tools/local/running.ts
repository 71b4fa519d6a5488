import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CycleOrder } from '../../workers/standalone/local/order.ts'

/** What a running service leaves in its state folder, for `admin cycle` and for a second start. */
export interface Running {
  pid: number
  url: string
  token: string
  /** How its cycles see the world. */
  order: CycleOrder
}

/** The service that runs on a state folder, or null when none does. */
export function findRunning(stateDir: string): Running | null {
  try {
    const running = JSON.parse(readFileSync(fileOf(stateDir), 'utf8')) as Running
    process.kill(running.pid, 0)
    return running
  } catch {
    return null
  }
}

export function noteRunning(stateDir: string, running: Running): void {
  writeFileSync(fileOf(stateDir), JSON.stringify(running), { mode: 0o600 })
}

export function forgetRunning(stateDir: string): void {
  rmSync(fileOf(stateDir), { force: true })
}

function fileOf(stateDir: string): string {
  return join(stateDir, 'running.json')
}
