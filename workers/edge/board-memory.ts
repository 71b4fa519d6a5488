import type { Context } from 'hono'
import { type Instant, DAY_MS, SECOND_MS, startOfDay } from '../../shared/argentine-time.ts'
import { type Board, type Mode, readBoard } from '../../shared/board/board.ts'
import { boardFromDatabase } from '../../shared/db/quotes/quotes.ts'
import { unavailable } from '../../shared/http-error.ts'
import { SERVICE_UNAVAILABLE } from '../../shared/sentences.ts'
import type { EdgeContext, EdgeEnv } from './context.ts'

const MAX_MEMORY_MS = 30_000
/** How long the copy of a board from D1 is kept, so that not every request reads D1. */
const FALLBACK_MEMORY_MS = 2_000
/** If a read takes longer, later requests stop waiting for it and start their own. */
const GIVE_UP_MS = 5 * SECOND_MS

/** Seconds that a client should wait when neither KV nor D1 works. */
const RETRY_SECONDS = 15

/** A board, and until when it may be shown. */
interface Copy {
  board: Board
  until: Instant
}

/**
 * The isolate's copy of the board. Each isolate reads KV once per tenth of a cycle (30 s): one
 * request reads, and the others wait for it.
 */
export class BoardMemory {
  #copy: Copy | null = null
  #mode: Mode | null = null
  #reading: { since: Instant; promise: Promise<Copy | null> } | null = null

  /**
   * Returns the board, after a new read if the copy has expired; null when neither KV nor D1 has a
   * board. Answers made from the board are valid until `until`. This is never after the Argentine
   * midnight, because `change` counts from midnight.
   */
  async read(c: Context<EdgeContext>): Promise<Copy | null> {
    const since = c.var.now()
    const isFresh = this.#copy !== null && since < this.#copy.until
    const copy = isFresh ? this.#copy : await this.#readAgain(c, since)
    return copy && { ...copy, until: Math.min(copy.until, startOfDay(since) + DAY_MS) }
  }

  /** The mode of the service. It never changes, so one published board is enough to know it. */
  async mode(c: Context<EdgeContext>): Promise<Mode> {
    return this.#mode ?? (await this.read(c))?.board.mode ?? 'live'
  }

  #readAgain(c: Context<EdgeContext>, since: Instant): Promise<Copy | null> {
    if (!this.#reading || Math.abs(since - this.#reading.since) > GIVE_UP_MS) {
      const promise = this.#load(c.env, c.var.now).finally(() => {
        if (this.#reading?.promise === promise) this.#reading = null
      })
      this.#reading = { since, promise }
      // Other requests wait for this read, so it must go on when its own client leaves.
      c.executionCtx.waitUntil(promise)
    }
    return this.#reading.promise
  }

  /** Like `read`, but throws a 503 when there is no board. */
  async mustRead(c: Context<EdgeContext>): Promise<Copy> {
    const copy = await this.read(c)
    if (!copy) throw unavailable(SERVICE_UNAVAILABLE, RETRY_SECONDS)
    return copy
  }

  async #load({ BOARD, DB }: EdgeEnv, now: () => Instant): Promise<Copy | null> {
    const startedAt = now()
    const fallback = () => boardFromDatabase(DB, startedAt)
    const { board, published } = await readBoard(BOARD, fallback, startedAt)
    if (!board) return null

    const isPublished = board === published
    if (isPublished) this.#mode = board.mode
    this.#copy = { board, until: now() + (isPublished ? memoryMs(board) : FALLBACK_MEMORY_MS) }
    return this.#copy
  }
}

function memoryMs({ everySeconds }: Board): number {
  return Math.min(MAX_MEMORY_MS, Math.max(0, everySeconds) * 100)
}
