import type { Instant } from '../../../shared/argentine-time.ts'
import { BOARD_KEY, type Board, isTrusted, parseBoard } from '../../../shared/board/board.ts'
import { boardFromDatabase } from '../../../shared/db/quotes/board-fallback.ts'
import type { SiteEnv } from '../context.ts'

/** Seconds; the least that KV takes. */
const KV_CACHE_TTL = 30

/**
 * The published board, as the API reads it: from D1 when KV has none young enough to be trusted.
 * When D1 has nothing either, an old board is better than none, for pages mark what is late; one of
 * the future is not. Null
 * when there is no quote anywhere.
 */
export async function readBoard(
  { BOARD, DB }: Pick<SiteEnv, 'BOARD' | 'DB'>,
  now: Instant,
): Promise<Board | null> {
  const published = await orNull('board_read_failed', async () =>
    parseBoard(await BOARD.get(BOARD_KEY, { cacheTtl: KV_CACHE_TTL })),
  )
  if (published && isTrusted(published, now)) return published

  const stored = await orNull('board_fallback_failed', () => boardFromDatabase(DB, now))
  if (stored && stored.quotes.length > 0) return stored
  return published && published.generatedAt <= now ? published : null
}

async function orNull<T>(event: string, read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    console.error(JSON.stringify({ event, name: (error as Error).name }))
    return null
  }
}
