import type { Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'

/**
 * What a compatibility address answers from the board: a value to print as JSON, or a text to send as
 * it is. Undefined when none of its pairs was ever quoted.
 */
export type CompatibilityRead = (board: Board, now: Instant) => object | string | undefined
