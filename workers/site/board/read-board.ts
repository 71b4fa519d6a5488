import type { Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { readBoard as readSharedBoard } from '../../../shared/board/read-board.ts'
import { boardFromDatabase } from '../../../shared/db/quotes/board-fallback.ts'
import type { SiteEnv } from '../context.ts'

/**
 * The board for a page. When the database has no quote either, an old board is better than none,
 * because pages mark late values. Null when there is no quote anywhere.
 */
export async function readBoard(
  { BOARD, DB }: Pick<SiteEnv, 'BOARD' | 'DB'>,
  now: Instant,
): Promise<Board | null> {
  const { board, published } = await readSharedBoard(BOARD, () => boardFromDatabase(DB, now), now)
  if (board && (board === published || board.quotes.length > 0)) return board
  return published
}
