import type { Context } from 'hono'
import { type Day, dayEnd, type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
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
import type {
  BoardReader,
  EdgeContext,
  EdgeEnv,
  PastQuery,
  PastQuotes,
  PastReader,
} from '../context.ts'
import { pointOnBoard } from '../current/point-on-board.ts'
import { orUnavailable } from '../or-unavailable.ts'
import { FillBudget } from './fill-budget.ts'
import { KeptDays } from './kept-past.ts'
import type { KnownPast, KnownRevision } from './known-revision.ts'
import { QUOTES_UNAVAILABLE } from '../../../shared/sentences.ts'

/** The life of a document in KV, so that a wrong one does not stay for ever. */
const TTL_SECONDS = 30 * 24 * 60 * 60
/** How long KV may take before D1 is read. */
const PATIENCE_MS = SECOND_MS

interface Deps {
  now: () => Instant
  board: BoardReader
  known: KnownRevision
  patienceMs?: number
}

/**
 * The values in effect at an instant. Those of now are on the board in memory. Those of a closed
 * day come from its document, in this isolate or in KV, if its revision is not older than the
 * board's. Otherwise they come from D1, and the document is made after the response. All give the
 * same values.
 */
export class Past implements PastReader {
  readonly #deps: Deps
  readonly #kept = new KeptDays()
  readonly #budget = new FillBudget()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async quotesAsOf(
    c: Context<EdgeContext>,
    pairs: readonly Pair[],
    { day, effectiveAt, closed, current }: PastQuery,
  ): Promise<PastQuotes> {
    const shown = current ? await this.#quotesOnBoard(c, pairs, effectiveAt) : null
    if (shown) return { quotes: shown, revision: null }

    const found = closed ? await this.#find(c.env, day) : null
    const revision = found?.revision ?? null
    if (found?.document) {
      return { quotes: quotesOfDay(found.document, pairs, effectiveAt), revision }
    }
    const { quotes } = await orUnavailable(
      quotesAsOf(c.env.DB, pairs, effectiveAt),
      QUOTES_UNAVAILABLE,
    )
    if (found && this.#budget.take(day, this.#deps.now())) {
      c.executionCtx.waitUntil(this.#fill(c.env, day).finally(() => this.#budget.done(day)))
    }
    return { quotes, revision }
  }

  async revisionOf(env: EdgeEnv, day: Day): Promise<number | null> {
    const { now, known } = this.#deps
    const inMemory = known.inMemory(now())
    const [past] =
      inMemory === undefined ? await this.#patiently([known.read(env.BOARD, now)]) : [inMemory]
    return past && isOver(day, past) ? past.revision : null
  }

  /** Null when the board lacks one of the pairs, or when no board arrives in time. */
  async #quotesOnBoard(
    c: Context<EdgeContext>,
    pairs: readonly Pair[],
    instant: Instant,
  ): Promise<QuotedPoint[] | null> {
    const board = await this.#readBoard(c)
    if (!board) return null

    const points = pairs.flatMap((pair) => pointOnBoard(board, pair) ?? [])
    // A board that arrived during the wait may be later than the requested instant.
    return points.length === pairs.length && points.every(({ at }) => at <= instant) ? points : null
  }

  async #readBoard(c: Context<EdgeContext>): Promise<Board | null> {
    const { now, board, known } = this.#deps
    const fresh = board.fresh(now())
    if (fresh) return fresh.board
    if (known.inMemory(now()) === null) return null

    const reading = board.read(c.env, c.executionCtx as ExecutionContext, now)
    const [read] = await this.#patiently([reading])
    return read?.board ?? null
  }

  /** Null when no document may be trusted or made. Without `document`, D1 must be read. */
  async #find(
    env: EdgeEnv,
    day: Day,
  ): Promise<{ document: ClosedDay | null; revision: number } | null> {
    const { now, known } = this.#deps
    const inMemory = known.inMemory(now())
    const kept = this.#kept.get(day)
    if (inMemory && kept && kept.revision >= inMemory.revision) {
      return { document: kept, revision: inMemory.revision }
    }
    if (inMemory === null) return null

    // Both at once: a cold isolate must not wait for KV twice.
    const [past, stored] = await this.#patiently([
      inMemory ?? known.read(env.BOARD, now),
      inMemory === undefined && kept ? null : readDocument(env.BOARD, day),
    ])
    if (!past || !isOver(day, past)) return null

    const { revision } = past
    const document = [kept, stored].find((each) => each && each.revision >= revision) ?? null
    if (document) this.#kept.keep(day, document)
    return { document, revision }
  }

  /** The results of KV; none when they take too long, and KV is then not read for a while. */
  async #patiently<Reads extends readonly unknown[]>(
    reads: readonly [...Reads],
  ): Promise<{ [Each in keyof Reads]: Awaited<Reads[Each]> } | []> {
    const { now, known, patienceMs = PATIENCE_MS } = this.#deps
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLate = new Promise<[]>((resolve) => {
      timer = setTimeout(() => {
        known.missed(now())
        resolve([])
      }, patienceMs)
    })
    return Promise.race([Promise.all(reads), tooLate]).finally(() => clearTimeout(timer))
  }

  /**
   * Reads the day with its revision, keeps it and writes it to KV. After a failure a later read
   * tries again.
   */
  async #fill(env: EdgeEnv, day: Day): Promise<void> {
    try {
      const document = await readClosedDay(env.DB, day)
      if (!document) return

      this.#kept.keep(day, document)
      // There are thousands of days before the first value, which must not fill KV.
      if (Object.values(document.points).every((points) => points.length === 0)) return
      await env.BOARD.put(closedDayKey(day), JSON.stringify(document), {
        expirationTtl: TTL_SECONDS,
      })
    } catch (error) {
      logFailure('closed_day_failed', error)
    }
  }
}

/** Whether a cycle came after the day, so that only another revision changes it. */
function isOver(day: Day, { recordedUntil }: KnownPast): boolean {
  return dayEnd(day) < recordedUntil
}

/** Null when it is missing or malformed, or when KV fails. */
async function readDocument(kv: KVNamespace, day: Day): Promise<ClosedDay | null> {
  try {
    return parseClosedDay(await kv.get(closedDayKey(day)), day)
  } catch (error) {
    logFailure('closed_day_failed', error)
    return null
  }
}
