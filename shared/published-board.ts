import type { Instant } from './argentine-time.ts'
import { BOARD_KEY, BOARD_MAX_AGE_MS, type Board, parseBoard } from './board.ts'

/** Seconds; the least that KV takes. */
const KV_CACHE_TTL = 30

/** The board of KV when it is there, readable and young enough to be trusted. */
export async function readPublishedBoard(kv: KVNamespace, now: Instant): Promise<Board | null> {
  try {
    const board = parseBoard(await kv.get(BOARD_KEY, { cacheTtl: KV_CACHE_TTL }))
    return board && now - board.generatedAt <= BOARD_MAX_AGE_MS ? board : null
  } catch (error) {
    console.error(JSON.stringify({ event: 'board_read_failed', name: (error as Error).name }))
    return null
  }
}
