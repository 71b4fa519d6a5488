import { BOARD_KEY, type Board } from '../../../shared/board/board.ts'

/**
 * Writes the board. The cycle is committed: when KV fails it still counts, and the next one
 * publishes. Returns whether it was written.
 */
export async function publish(kv: KVNamespace, board: Board): Promise<boolean> {
  try {
    await kv.put(BOARD_KEY, JSON.stringify(board))
    return true
  } catch (error) {
    console.error(JSON.stringify({ event: 'publish_failed', name: (error as Error).name }))
    return false
  }
}
