import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { referenceStatement } from '../../../shared/db/quotes/reference-sell.ts'
import type { CycleOrder } from '../../../workers/standalone/local/order.ts'
import { backfill, EVERYTHING, type Failure, pointsMade } from '../backfill/backfill.ts'
import { fetchDocuments } from '../backfill/fetch-documents.ts'
import { drawCharts } from '../import/draw-charts.ts'
import { importPast } from '../demo-market/past.ts'
import type { MarketOptions } from '../demo-market/market.ts'
import { createProgress } from '../import/progress.ts'
import { LOCAL_CHUNK } from '../import/write.ts'
import type { Turn } from './repeat.ts'

interface PastOptions {
  db: D1Database
  kv: KVNamespace
  stateDir: string
  mode: Mode
  market: MarketOptions
  warn: (line: string) => void
  /** Stands in for the public archives. */
  archives?: string
}

/** An edge keeps a board for a tenth of its time. */
const HASTE_SECONDS = 60

/**
 * How a new state gets its past, beside a service that answers already.
 *
 * Open it before the first cycle: after that every state has points. A note in the folder stays
 * until the past is whole, so that a start after a kill continues.
 */
export async function openPast(options: PastOptions) {
  const { db, kv, mode, stateDir } = options
  const note = join(stateDir, 'backfill-begun')
  const isNew = (await db.prepare('select 1 from points limit 1').first()) === null
  if (isNew && mode !== 'upstream') writeFileSync(note, '', { mode: 0o600 })
  const stopping = new AbortController()
  const { signal } = stopping

  return {
    /**
     * The first cycle's order. Readers keep its board only briefly, because the next cycle comes soon.
     */
    hasten(order: CycleOrder): CycleOrder {
      if (mode !== 'demo' || !existsSync(note)) return order
      return { ...order, everySeconds: Math.min(order.everySeconds, HASTE_SECONDS) }
    },
    /** Fills it, when there is something to fill, and lets a cycle publish what follows from it. */
    async fill(turn: Turn, runCycle: () => Promise<unknown>): Promise<void> {
      if (!existsSync(note)) return

      try {
        // A cycle of the demo market waits for its past, which takes seconds.
        const isWhole =
          mode === 'demo'
            ? await turn(() => fillDemo(options, signal))
            : await fillLive(options, signal)
        if (isWhole) rmSync(note, { force: true })
        // A cycle that ran meanwhile may have written a reference from before.
        await turn(() => db.batch(PAIRS.map((pair) => referenceStatement(db, pair))))
        await drawCharts(db, kv, Date.now())
        await runCycle()
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
    /** Stops it. The next start on the same state continues. */
    async stop(over: Promise<unknown>): Promise<void> {
      stopping.abort()
      await over
    },
  }
}

/** Whether the past is whole after it. */
async function fillDemo({ db, market, warn }: PastOptions, signal: AbortSignal): Promise<boolean> {
  const begin = performance.now()
  const points = await importPast(db, Date.now(), market, signal)
  warn(`backfill: the demo market's past, ${points} points in ${since(begin)}`)
  return true
}

/** Whether the past is whole after it. */
async function fillLive(
  { db, warn, archives }: PastOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const begin = performance.now()
  const documents = fetchDocuments({ base: archives ?? null, signal })
  warn('backfill: fetching history from the public archives (--no-backfill leaves it out)')

  const { filled, failures } = await backfill(
    {
      db,
      documents,
      now: () => Date.now(),
      signal,
      onProgress: createProgress('backfill', warn),
    },
    { ...EVERYTHING, chunkSize: LOCAL_CHUNK },
  )
  warn(`backfill: ${pointsMade(filled)} points in ${since(begin)}${missingText(failures)}`)
  return failures.length === 0
}

function missingText(failures: readonly Failure[]): string {
  if (failures.length === 0) return ''
  const reasons = [...new Set(failures.map(({ reason }) => reason))]
  return `; ${failures.length} series are missing (${reasons.join(', ')}): npm run admin -- backfill goes on`
}

function since(begin: number): string {
  return `${((performance.now() - begin) / SECOND_MS).toFixed(1)} s`
}
