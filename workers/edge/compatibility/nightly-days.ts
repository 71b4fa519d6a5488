import type { Context } from 'hono'
import { type Day, type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import { archiveKey, readManifest } from '../../../shared/board/archive.ts'
import type { Board } from '../../../shared/board/board.ts'
import { logFailure } from '../../../shared/log.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'
import { closesOn, DAYS, parseDays, type ClosedDays } from '../../../shared/compatibility/days.ts'
import type { EdgeContext } from '../context.ts'
import { SharedRead } from '../shared-read.ts'

/** How long the isolate keeps the file, as it does the board. */
const MEMORY_MS = 30 * SECOND_MS

interface Kept {
  days: ClosedDays
  /** The last day of the file, and the revision of the past that it shows. */
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
  readonly #reading = new SharedRead<void>()

  /**
   * The closes of the pairs on a day. Null when the file does not have the day yet, or when the board
   * knows of a later correction of the past.
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

    return this.#reading.join(() => this.#read(env.BOARD, now), at, executionCtx)
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

/** Empty when KV has no such file or fails. */
async function textOf(kv: KVNamespace, key: string): Promise<string> {
  try {
    return (await kv.get(key)) ?? ''
  } catch (error) {
    logFailure('archive_read_failed', error)
    return ''
  }
}
