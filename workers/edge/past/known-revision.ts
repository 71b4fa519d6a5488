import { type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import { type Board, isTrusted } from '../../../shared/board/board.ts'
import { readPublishedBoard } from '../../../shared/board/read-board.ts'
import type { BoardReader } from '../context.ts'

/** How long an isolate trusts its last read of KV, as the current reads do. */
const MEMORY_MS = 30 * SECOND_MS

/** What a board says of the past. */
export interface KnownPast {
  /** Documents of an earlier revision are invalid. */
  revision: number
  /** The instant of the board's cycle. Days that ended before it are closed. */
  recordedUntil: Instant
}

/**
 * The revision of the past that this isolate knows, which never decreases. Null without a trusted
 * board, because a correction could then stay unnoticed for long.
 */
export class KnownRevision {
  readonly #board: Pick<BoardReader, 'fresh'>
  #past: KnownPast | null = null
  #highest = 0
  #readAt: Instant = -Infinity

  constructor(board: Pick<BoardReader, 'fresh'>) {
    this.#board = board
  }

  /**
   * What is known without a read: from the board in memory, else from the last read of KV.
   * Undefined when KV must be read.
   */
  inMemory(now: Instant): KnownPast | null | undefined {
    const fresh = this.#board.fresh(now)
    if (fresh) return this.#pastOf(fresh.board)
    const isFresh = now >= this.#readAt && now < this.#readAt + MEMORY_MS
    return isFresh ? this.#past : undefined
  }

  async read(kv: KVNamespace, now: () => Instant): Promise<KnownPast | null> {
    const board = await readPublishedBoard(kv)
    const at = now()
    this.#past = board && isTrusted(board, at) ? this.#pastOf(board) : null
    this.#readAt = at
    return this.#past
  }

  /** KV took too long: it is not read again for a while. */
  missed(now: Instant): void {
    this.#past = null
    this.#readAt = now
  }

  #pastOf({ historyRevision, generatedAt }: Board): KnownPast | null {
    if (!Number.isSafeInteger(historyRevision)) return null
    this.#highest = Math.max(this.#highest, historyRevision!)
    return { revision: this.#highest, recordedUntil: generatedAt }
  }
}
