/** Writes the board and the chart of the last day to KV, and sends the board to open streams. */
import { type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import {
  type Board,
  type BoardListener,
  BOARD_KEY,
  BOARD_SCHEMA,
  STREAM_NAME,
} from '../../../shared/board/board.ts'
import { boardQuote } from '../../../shared/db/quotes/quotes.ts'
import { type Recorded, readRecorded } from '../db/cycles.ts'
import { withDeadline } from '../../../shared/deadline.ts'
import { logFailure } from '../../../shared/log.ts'
import { tradedDayOf } from '../../../shared/market/market-hours.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import { parseSourcesState, sourceHealth } from '../collect/sources-state.ts'
import { CHART_SCHEMA, RECENT_KEY } from '../../../shared/board/charts.ts'
import { recentPoints } from '../db/nightly.ts'

/** The longest that a cycle waits for KV or for the streams. */
const PATIENCE_MS = 5 * SECOND_MS
/** KV takes one write per second to a key. */
const PAUSE_MS = 1.1 * SECOND_MS
/** How many times `republish` reads the tables at most. */
const MOST_READS = 4

/** The board of the last recorded cycle. */
export function boardOf({ mode, last, sources, quotes, held, historyRevision }: Recorded): Board {
  const { at, everySeconds, anySourceAnswered, wholesale, holidays } = last
  return {
    schema: BOARD_SCHEMA,
    generatedAt: at,
    everySeconds,
    mode,
    quotes: quotes.map((quote) => boardQuote(quote, held.has(pairKey(quote.pair)))),
    sources: sourceHealth(parseSourcesState(sources)),
    anySourceAnswered,
    tableDay: wholesale?.day,
    tradedDay: tradedDayOf(quotes),
    decreed: holidays?.decreed,
    lacking: holidays?.lacking,
    historyRevision,
  }
}

/** The part of KV that a cycle uses. */
export interface BoardWriter {
  put: (key: string, text: string) => Promise<void>
}

/** Whether an action succeeded in time. Logs a failure, so that the cycle goes on. */
async function succeeds(failure: string, action: () => Promise<unknown>): Promise<boolean> {
  try {
    await withDeadline(PATIENCE_MS, action)
    return true
  } catch (error) {
    logFailure(failure, error)
    return false
  }
}

/** Writes the board and returns whether that succeeded. When KV fails, the next cycle publishes. */
export function publish(kv: BoardWriter, board: Board): Promise<boolean> {
  return succeeds('publish_failed', () => kv.put(BOARD_KEY, JSON.stringify(board)))
}

/**
 * Writes the board and the chart of the last day from the tables, and repeats both if the tables
 * changed during the writes. For a cycle that may have replaced a newer board: KV has no
 * conditional writes, so the last writer must check after its write.
 */
export async function republish(
  env: { BOARD: BoardWriter; DB: D1Database; QUOTE_STREAM: StreamNamespace },
  now: Instant,
): Promise<void> {
  let written: string | null = null
  for (let read = 0; read < MOST_READS; read++) {
    const recorded = await readRecorded(env.DB)
    const board = recorded && boardOf(recorded)
    const text = JSON.stringify(board)
    if (!board || text === written) return

    if (!(await publish(env.BOARD, board))) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      await publish(env.BOARD, board)
    }
    await notify(env.QUOTE_STREAM, board)
    await drawRecent(env.DB, env.BOARD, now)
    written = text
  }
}

/** Writes the chart of the last day. If it fails, the next change of a value writes the chart. */
export function drawRecent(db: D1Database, kv: BoardWriter, now: Instant): Promise<boolean> {
  return succeeds('chart_failed', async () => {
    const points = await recentPoints(db, now)
    await kv.put(RECENT_KEY, JSON.stringify({ schema: CHART_SCHEMA, points }))
  })
}

/** The binding of the Durable Object that holds the streams. */
export interface StreamNamespace {
  getByName(name: string): unknown
}

/** Sends the board to the open streams. If this fails, they read the board from KV. */
export function notify(streams: StreamNamespace, board: Board): Promise<boolean> {
  return succeeds('notify_failed', async () => {
    const listener = streams.getByName(STREAM_NAME) as BoardListener
    await listener.publish(board)
  })
}
