import { type Instant, argentineDay, SECOND_MS } from '../../../shared/argentine-time.ts'
import type { Board, Mode } from '../../../shared/board/board.ts'
import { readBoard } from '../../../shared/board/read-board.ts'
import type { EdgeEnv } from '../context.ts'
import { type BoardResponses, openResponses } from './board-responses.ts'

const MAX_MEMORY_MS = 30_000
/** How long a board of D1, or its failure, is kept, so that not every request reaches D1. */
const FALLBACK_MEMORY_MS = 2_000
/** A read that takes longer is given up by later requests, which begin another. */
const GIVE_UP_MS = 5 * SECOND_MS

/**
 * The isolate's copy of the board, with the responses made of it. Each isolate reads KV once per
 * tenth of a cycle (30 s): one request reads, and the others wait for it.
 */
export class BoardMemory {
  #responses: BoardResponses | null = null
  #goodUntil = 0
  #mode: Mode | null = null
  #reading: { since: Instant; promise: Promise<BoardResponses | null> } | null = null

  /** The board in memory while it is fresh. No promise, because this is the hot path. */
  fresh(now: Instant): BoardResponses | null {
    if (now >= this.#goodUntil || this.#responses === null) return null
    if (this.#responses.day !== argentineDayCached(now)) {
      this.#responses = openResponses(this.#responses.board, now)
    }
    return this.#responses
  }

  /** The board, read again when due; null when neither KV nor D1 has one. */
  async read(
    env: EdgeEnv,
    context: ExecutionContext,
    now: () => Instant,
  ): Promise<BoardResponses | null> {
    const since = now()
    const fresh = this.fresh(since)
    if (fresh) return fresh

    if (!this.#reading || Math.abs(since - this.#reading.since) > GIVE_UP_MS) {
      const promise = this.#load(env, now).finally(() => {
        if (this.#reading?.promise === promise) this.#reading = null
      })
      this.#reading = { since, promise }
      // Others wait for it, so it must go on when this request's client leaves.
      context.waitUntil(promise)
    }
    return this.#reading.promise
  }

  /** The mode of the service. It never changes, so the first published board says it for good. */
  async mode(env: EdgeEnv, context: ExecutionContext, now: () => Instant): Promise<Mode> {
    return this.#mode ?? (await this.read(env, context, now))?.board.mode ?? 'live'
  }

  async #load(env: EdgeEnv, now: () => Instant): Promise<BoardResponses | null> {
    const startedAt = now()
    const { board, published } = await readBoard(
      env.BOARD,
      () => fromDatabase(env, startedAt),
      startedAt,
    )
    if (!board) return null

    const read = now()
    this.#responses = openResponses(board, read)
    if (board === published) this.#mode = board.mode
    this.#goodUntil = read + (board === published ? memoryMs(board) : FALLBACK_MEMORY_MS)
    return this.#responses
  }
}

function memoryMs(board: Board): number {
  return Math.min(MAX_MEMORY_MS, Math.max(0, board.everySeconds) * 100)
}

async function fromDatabase(env: EdgeEnv, now: Instant): Promise<Board> {
  const { boardFromDatabase } = await import('../../../shared/db/quotes/board-fallback.ts')
  return boardFromDatabase(env.DB, now)
}

let cachedDay = { from: 0, to: 0, day: '' }

/**
 * The Argentine day of an instant. Formatting it for each request would cost more than the rest of
 * a current read.
 */
function argentineDayCached(now: Instant): string {
  if (now < cachedDay.from || now >= cachedDay.to) {
    const day = argentineDay(now)
    const from = Date.parse(`${day}T03:00:00.000Z`)
    cachedDay = { from, to: from + 86_400_000, day }
  }
  return cachedDay.day
}
