import type { Board } from './board.ts'

/** The name of the one object that all streams hang on. */
export const STREAM_NAME = 'quotes'

/** What the scraper says to it: the board of a cycle, right after it was published. */
export interface BoardListener {
  publish(board: Board): Promise<void>
}
