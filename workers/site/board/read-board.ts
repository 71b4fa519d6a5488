import { BOARD_KEY, type Board, parseBoard } from '../../../shared/board.ts'

/** Seconds; the least that KV takes. */
const KV_CACHE_TTL = 30

/** The published board at any age: pages mark what is old. Null when KV has none, or fails. */
export async function readBoard(kv: KVNamespace): Promise<Board | null> {
  try {
    return parseBoard(await kv.get(BOARD_KEY, { cacheTtl: KV_CACHE_TTL }))
  } catch (error) {
    console.error(JSON.stringify({ event: 'board_read_failed', name: (error as Error).name }))
    return null
  }
}
