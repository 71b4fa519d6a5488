import type { Context } from 'hono'
import { type Day, type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import { archiveKey, readManifest } from '../../../shared/board/archive.ts'
import type { Board } from '../../../shared/board/board.ts'
import { logFailure } from '../../../shared/log.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'
import { closesOn, DAYS, parseDays, type ClosedDays } from '../../../shared/compatibility/days.ts'
import type { EdgeContext } from '../context.ts'

/** How long the isolate keeps what it read, as it does the board. */
const MEMORY_MS = 30 * SECOND_MS
/** Later requests give up on a read that takes longer, and begin another. */
const READING_MS = 5 * SECOND_MS

interface Kept {
  days: ClosedDays
  /** The last day that the file has, and of which past it is. */
  last: Day
  revision: number
  sha256: string
}

/**
 * The closes of every closed day in the isolate's memory (2 MB for fifteen years), from the nightly
 * file. One request reads it and the others wait.
 */
export class NightlyDays {
  #kept: Kept | null = null
  #readAt: Instant = -Infinity
  #reading: { since: Instant; promise: Promise<void> } | null = null

  /**
   * What the pairs closed at on a day. Null when the file cannot say: it does not have the day yet,
   * or the past was corrected after it was made, by what the board knows.
   */
  async closesOn(
    c: Context<EdgeContext>,
    { day, pairs, board }: { day: Day; pairs: readonly Pair[]; board: Board | undefined },
    now: () => Instant,
  ): Promise<({ buy: Price; sell: Price } | null)[] | null> {
    const revision = board?.historyRevision
    if (revision === undefined) return null

    await this.#refresh(c, now)
    if (!this.#kept || this.#kept.revision < revision || day > this.#kept.last) return null
    return closesOn(this.#kept.days, day, pairs)
  }

  async #refresh({ env, executionCtx }: Context<EdgeContext>, now: () => Instant): Promise<void> {
    const at = now()
    if (at >= this.#readAt && at < this.#readAt + MEMORY_MS) return

    if (!this.#reading || Math.abs(at - this.#reading.since) > READING_MS) {
      const promise = this.#read(env.BOARD, now).finally(() => {
        if (this.#reading?.promise === promise) this.#reading = null
      })
      this.#reading = { since: at, promise }
      // Others wait for it, so it must go on when this request's client leaves.
      executionCtx.waitUntil(promise)
    }
    return this.#reading.promise
  }

  async #read(kv: KVNamespace, now: () => Instant): Promise<void> {
    const manifest = await readManifest(kv)
    const file = manifest?.files.find(({ name }) => name === DAYS)
    if (!manifest || !file) this.#kept = null
    else {
      const { day: last, revision } = manifest
      const days =
        this.#kept?.sha256 === file.sha256
          ? this.#kept.days
          : parseDays(await textOf(kv, archiveKey(file)))
      this.#kept = days && { days, last, revision, sha256: file.sha256 }
    }
    this.#readAt = now()
  }
}

/** Empty when there is none, or KV does not answer. */
async function textOf(kv: KVNamespace, key: string): Promise<string> {
  try {
    return (await kv.get(key)) ?? ''
  } catch (error) {
    logFailure('archive_read_failed', error)
    return ''
  }
}
