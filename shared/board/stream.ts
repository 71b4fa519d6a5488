import type { Board } from './board.ts'

/** The name of the one object that serves all streams. */
export const STREAM_NAME = 'quotes'

/** The scraper passes it the board of each cycle, right after publishing it. */
export interface BoardListener {
  publish(board: Board): Promise<void>
}
