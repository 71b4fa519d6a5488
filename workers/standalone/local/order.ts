/** The messages between the local service's process and its Worker. */
import type { Mode } from '../../../shared/board/board.ts'

export const CONTROL_PATH = '/__local/'
export const TOKEN_HEADER = 'x-local-token'

/** How to run a cycle. */
export interface CycleOrder {
  mode: Mode
  everySeconds: number
  /** Where every source request goes, as `UPSTREAM/HOST/PATH?QUERY`; null for the real network. */
  upstream: string | null
}

/** The binding that sends mails by SMTP. */
export const LOCAL_MAIL = 'LOCAL_MAIL'
