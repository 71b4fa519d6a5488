import { type Board } from '../../../shared/board/board.ts'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { type BoardListener, STREAM_NAME } from '../../../shared/board/stream.ts'
import { logFailure } from '../../../shared/log.ts'

/** The Durable Object of the streams, as the scraper uses it. */
export interface StreamNamespace {
  getByName(name: string): unknown
}

/** The longest that a cycle waits for it. */
const PATIENCE_MS = 5 * SECOND_MS

/**
 * Sends the board to the open streams. After a failure they read the board from KV, so it is only
 * logged.
 */
export async function notify(streams: StreamNamespace, board: Board): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new DOMException('late', 'TimeoutError')), PATIENCE_MS)
  })
  try {
    const listener = streams.getByName(STREAM_NAME) as BoardListener
    await Promise.race([listener.publish(board), tooLate])
  } catch (error) {
    logFailure('notify_failed', error)
  } finally {
    clearTimeout(timer)
  }
}
