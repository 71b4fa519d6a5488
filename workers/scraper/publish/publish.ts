import { BOARD_KEY, type Board } from '../../../shared/board/board.ts'
import { logFailure } from '../../../shared/log.ts'

/**
 * Writes the board. The cycle is committed: when KV fails it still counts, and the next one
 * publishes. Returns whether it was written.
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
