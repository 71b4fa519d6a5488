/** The board in KV, made of what the tables say. */
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { BOARD_KEY, BOARD_SCHEMA, type Board } from '../../../shared/board/board.ts'
import { boardQuote } from '../../../shared/db/quotes/quotes.ts'
import { readRecorded, type Recorded } from '../db/recorded.ts'
import { logFailure } from '../../../shared/log.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import { parseSourcesState, sourceHealth } from '../collect/sources-state.ts'
import { notify, type StreamNamespace } from './notify.ts'

/** KV takes one write a second of a key. */
const PAUSE_MS = 1.1 * SECOND_MS
/** Each look but the first means that something was recorded since the one before. */
const MOST_LOOKS = 4

/** What the last recorded cycle has to show. */
export function boardOf({ mode, last, sources, quotes, held, historyRevision }: Recorded): Board {
  const { at, everySeconds, anySourceAnswered, wholesale } = last
  return {
    schema: BOARD_SCHEMA,
    generatedAt: at,
    everySeconds,
    mode,
    quotes: quotes.map((quote) => boardQuote(quote, held.has(pairKey(quote.pair)))),
    sources: sourceHealth(parseSourcesState(sources)),
    anySourceAnswered,
    tableDay: wholesale?.day,
    historyRevision,
  }
}

/**
 * Writes the board; returns whether that succeeded. The cycle is committed already, so when KV
 * fails the next one publishes.
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

interface RepublishEnv {
  BOARD: KVNamespace
  DB: D1Database
  QUOTE_STREAM: StreamNamespace
}

/**
 * Writes the board of what the tables say now, again and again until they say the same after a write
 * as before it. For a cycle that may have written an older board over a newer one: KV cannot compare
 * before it writes, so who writes last has to look last.
 */
export async function republish(env: RepublishEnv): Promise<void> {
  let written: string | null = null
  for (let look = 0; look < MOST_LOOKS; look++) {
    const recorded = await readRecorded(env.DB)
    const board = recorded && boardOf(recorded)
    const text = JSON.stringify(board)
    if (!board || text === written) return

    if (!(await publish(env.BOARD, board))) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      await publish(env.BOARD, board)
    }
    await notify(env.QUOTE_STREAM, board)
    written = text
  }
}
