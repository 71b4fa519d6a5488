import { BOARD_KEY, type Board } from '../../../shared/board/board.ts'
import { logFailure } from '../../../shared/log.ts'

/**
 * Writes the board; returns whether that succeeded. The cycle is committed already, so when KV
 * fails the next one publishes.
 */
export async function publish(kv: KVNamespace, board: Board): Promise<boolean> {
  try {
    await kv.put(BOARD_KEY, JSON.stringify(board))
    return true
  } catch (error) {
    logFailure('publish_failed', error)
    return false
  }
}
