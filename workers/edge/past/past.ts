import type { Context } from 'hono'
import { type Day, dayEnd, type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import {
  type ClosedDay,
  closedDayKey,
  parseClosedDay,
  quotesOfDay,
} from '../../../shared/board/closed-day.ts'
import { readClosedDay } from '../db/closed-day.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import { logFailure } from '../../../shared/log.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import type { BoardReader, EdgeContext, EdgeEnv, PastQuery, PastReader } from '../context.ts'
import { orUnavailable } from '../or-unavailable.ts'
import { FillBudget } from './fill-budget.ts'
import { KeptDays } from './kept-days.ts'
import { KnownRevision } from './known-revision.ts'
import { QUOTES_UNAVAILABLE } from '../../../shared/sentences.ts'

const UNAVAILABLE = QUOTES_UNAVAILABLE
/** Documents last so long in KV: a wrong one would not stay for ever. */
const TTL_SECONDS = 30 * 24 * 60 * 60
/** How long KV may take before D1 is asked. */
const PATIENCE_MS = SECOND_MS

interface Deps {
  now: () => Instant
  board: Pick<BoardReader, 'fresh'>
  patienceMs?: number
}

/**
 * What was in effect at an instant. A closed day is answered from its document, of this isolate or
 * of KV, when its revision is not older than the board's; otherwise D1 answers, and the document is
 * made after the answer. Both say the same.
 */
export class Past implements PastReader {
  readonly #deps: Deps
  readonly #known = new KnownRevision()
  readonly #kept = new KeptDays()
  readonly #budget = new FillBudget()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async quotesAsOf(
    c: Context<EdgeContext>,
    pairs: readonly Pair[],
    { day, effectiveAt, closed }: PastQuery,
  ): Promise<(QuotedPoint | null)[]> {
    const found = closed ? await this.#find(c.env, day) : null
    if (found?.document) return quotesOfDay(found.document, pairs, effectiveAt)

    const { quotes } = await orUnavailable(quotesAsOf(c.env.DB, pairs, effectiveAt), UNAVAILABLE)
    if (found && this.#budget.take(day, this.#deps.now())) {
      c.executionCtx.waitUntil(this.#fill(c.env, day).finally(() => this.#budget.done(day)))
    }
    return quotes
  }

  /** Null when no document may be believed or made; without one when D1 must answer. */
  async #find(env: EdgeEnv, day: Day): Promise<{ document: ClosedDay | null } | null> {
    const { now, board } = this.#deps
    const at = now()
    const inMemory = this.#known.inMemory(board.fresh(at)?.board, at)
    const kept = this.#kept.get(day)
    if (inMemory && kept && kept.revision >= inMemory.revision) return { document: kept }
    if (inMemory === null) return null

    // Both at once: a cold isolate must not wait for KV twice.
    const looked = await this.#patiently([
      inMemory ?? this.#known.read(env.BOARD, now),
      inMemory === undefined && kept ? null : readDocument(env.BOARD, day),
    ])
    if (!looked) this.#known.missed(now())
    const [known, stored] = looked ?? [null, null]
    if (!known || dayEnd(day) >= known.recordedUntil) return null

    const document = [kept, stored].find((each) => each && each.revision >= known.revision) ?? null
    if (document) this.#kept.keep(document)
    return { document }
  }

  /** The answers; null when they take too long. */
  async #patiently<A, B>(asked: [A | Promise<A>, B | Promise<B>]): Promise<[A, B] | null> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.#deps.patienceMs ?? PATIENCE_MS)
    })
    return Promise.race([Promise.all(asked), tooLate]).finally(() => clearTimeout(timer))
  }

  /** Reads the day with its revision, keeps it and writes it to KV. A failure costs the next read. */
  async #fill(env: EdgeEnv, day: Day): Promise<void> {
    try {
      const document = await readClosedDay(env.DB, day)
      if (!document) return

      this.#kept.keep(document)
      // Before the first value there are thousands of days, and anybody may ask for them.
      if (Object.values(document.points).every((points) => points.length === 0)) return
      await env.BOARD.put(closedDayKey(day), JSON.stringify(document), {
        expirationTtl: TTL_SECONDS,
      })
    } catch (error) {
      logFailure('closed_day_failed', error)
    }
  }
}

/** Null when there is none, it is not whole, or KV does not answer. */
async function readDocument(kv: KVNamespace, day: Day): Promise<ClosedDay | null> {
  try {
    return parseClosedDay(await kv.get(closedDayKey(day)), day)
  } catch (error) {
    logFailure('closed_day_failed', error)
    return null
  }
}
