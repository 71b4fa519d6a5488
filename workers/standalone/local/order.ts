/** What the process around the local service and its Worker say to each other; for both. */
import type { Mode } from '../../../shared/board/board.ts'

export const CONTROL_PATH = '/__local/'
export const TOKEN_HEADER = 'x-local-token'

/** How a cycle is to see the world. */
export interface CycleOrder {
  mode: Mode
  everySeconds: number
  /** Takes every source request, as `UPSTREAM/HOST/PATH?QUERY`; null for the real network. */
  upstream: string | null
  /** Whether to give up soon when there is no network at all. */
  impatient: boolean
}

/** The binding of the HTTP client that stands for a receiver under `fetch`. */
export function receiverBinding(name: string): string {
  return `LOCAL_RECEIVER ${name}`
}
