import type { Instant } from '../argentine-time.ts'
import { KV_CACHE_TTL } from './kv-document.ts'
import { logFailure } from '../log.ts'
import { BOARD_KEY, type Board, isTrusted, parseBoard } from './board.ts'

export interface BoardRead {
  /** The board to show: from KV, or from the database when KV has none that can be trusted. */
  board: Board | null
  /** The board of KV, trusted or not. */
  published: Board | null
}

/**
 * Reads the board as every reader sees it. `fallback` makes one from the database
 * (shared/db/quotes/board-fallback.ts).
 */
export async function readBoard(
  kv: KVNamespace,
  fallback: () => Promise<Board>,
  now: Instant,
): Promise<BoardRead> {
  const published = await readPublishedBoard(kv)
  if (published && isTrusted(published, now)) return { board: published, published }

  try {
    return { board: await fallback(), published }
  } catch (error) {
    logFailure('board_fallback_failed', error)
    return { board: null, published }
  }
}

/** The board of KV, trusted or not. Null when it is missing or unreadable, or KV does not answer. */
export async function readPublishedBoard(kv: KVNamespace): Promise<Board | null> {
  try {
    return parseBoard(await kv.get(BOARD_KEY, { cacheTtl: KV_CACHE_TTL }))
  } catch (error) {
    logFailure('board_read_failed', error)
    return null
  }
}
