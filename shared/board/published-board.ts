import type { Instant } from '../argentine-time.ts'
import { BOARD_KEY, type Board, isTrusted, parseBoard } from './board.ts'

/** Seconds; the least that KV takes. */
const KV_CACHE_TTL = 30

/**
 * The board of KV when it is there, readable, young enough to be trusted, and not of the future by
 * the clock of then: it may have been made while it was asked for.
 */
export async function readPublishedBoard(
  kv: KVNamespace,
  now: () => Instant,
): Promise<Board | null> {
  try {
    const board = parseBoard(await kv.get(BOARD_KEY, { cacheTtl: KV_CACHE_TTL }))
    return board && isTrusted(board, now()) ? board : null
  } catch (error) {
    console.error(JSON.stringify({ event: 'board_read_failed', name: (error as Error).name }))
    return null
  }
}
