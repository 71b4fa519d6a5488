import { type Board } from '../../../shared/board/board.ts'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { type BoardListener, STREAM_NAME } from '../../../shared/board/stream.ts'
import { logFailure } from '../../../shared/log.ts'

/** The object of the streams, seen from here. */
export interface StreamNamespace {
  getByName(name: string): unknown
}

/** The longest a cycle waits for it. */
const PATIENCE_MS = 5 * SECOND_MS

/**
 * Tells the open streams of the board. They look for it themselves when no word comes, so a failure
 * is logged and costs nothing else.
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
