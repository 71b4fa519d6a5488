import type { Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'

/**
 * What a peer's address answers, from the board: a value that is printed as JSON, or the text as it
 * is; undefined when nothing of it was ever quoted.
 */
export type PeerRead = (board: Board, now: Instant) => object | string | undefined
