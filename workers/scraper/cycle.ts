/** One cycle: collect → evaluate → record → publish → notify → enqueue. */
import { DAY_MS, formatUtc, type Instant, SECOND_MS } from '../../shared/argentine-time.ts'
import type { Board, Mode } from '../../shared/board/board.ts'
import { mayBeHoliday, statusOf } from '../../shared/board/status.ts'
import { pairKey, type PairKey } from '../../shared/market/catalog.ts'
import { tableDueAt } from '../../shared/market/market-hours.ts'
import { log, logFailure, warn } from '../../shared/log.ts'
import { closeCycle, type CycleState, openCycle, readRecorded, recordCycle } from './db/cycles.ts'
import type { CycleRecord } from '../../shared/db/quotes/quotes.ts'
import { type DeliveryQueue, enqueue } from '../../shared/webhooks/enqueue.ts'
import {
  drawRecent,
  boardOf,
  type BoardWriter,
  publish,
  republish,
  notify,
  type StreamNamespace,
} from './publish/publish.ts'
import { settleSince } from './publish/availability.ts'
import { holidaysOf, invoicingOf, quotesAfter, recordOf } from './publish/record.ts'
import { type GuardMemory, parseGuard } from './guard/memory.ts'
import { deliveriesOf, type OutboxEnv } from './publish/deliveries.ts'
import { evaluateCycle, type Evaluation, type EvaluationDeps } from './evaluate-cycle.ts'
import { isClockWrong } from './collect/collect.ts'
import { noteResults, parseSourcesState } from './collect/sources-state.ts'

export interface CycleEnv extends OutboxEnv {
  BOARD: BoardWriter
  DB: D1Database
  DELIVERIES: DeliveryQueue
  QUOTE_STREAM: StreamNamespace
}

export interface CycleDeps extends EvaluationDeps {
  /** Seconds between two cycles, so that readers know how long a board is valid. */
  everySeconds: number
  newToken: () => string
}

export type CycleReport =
  /** Another cycle runs, or this one is already recorded. */
  | { outcome: 'skipped' }
  /** Another cycle took the lease while this cycle ran: nothing was written. */
  | { outcome: 'overtaken' }
  /** The database has another mode: nothing was requested or written. */
  | { outcome: 'other_mode' }
  /** The clock is wrong, so nothing was recorded (decision 76: the writer’s clock). */
  | { outcome: 'clock_wrong' }
  | {
      outcome: 'recorded'
      at: Instant
      changed: PairKey[]
      held: PairKey[]
      requested: number
      answered: number
      published: boolean
    }

/**
 * An imported value is a baseline of the guard up to this age. An older value does not even give
 * the order of magnitude: in 2023 prices more than tripled in seven months, but not in three.
 */
const BASELINE_MS = 90 * DAY_MS

/**
 * Runs the cycle of `scheduledAt`. A cycle may run twice, overlap another, stall, or die anywhere.
 * The lease's token fences the one batch that writes. `end` repairs a board that was published
 * after the lease was lost, the sweep repairs lost messages, and the next cycle a missing board.
 */
export async function runCycle(
  env: CycleEnv,
  deps: CycleDeps,
  scheduledAt: Instant,
): Promise<CycleReport> {
  const now = deps.now()
  const start = { token: deps.newToken(), now, scheduledAt, mode: deps.mode }
  const state = await openCycle(env.DB, start)
  if (typeof state === 'string') return { outcome: state }

  let ended: Ended = { report: { outcome: 'overtaken' } }
  try {
    ended = await runLeased(env, deps, state, { now, scheduledAt })
    return ended.report
  } finally {
    await end(env, deps, state, ended)
  }
}

/** The end of a cycle that had the lease, and the board that it made, if any. */
interface Ended {
  report: CycleReport
  board?: Board
}

async function runLeased(
  env: CycleEnv,
  deps: CycleDeps,
  opened: CycleState,
  { now, scheduledAt }: { now: Instant; scheduledAt: Instant },
): Promise<Ended> {
  const { last } = opened
  // After a cycle in the future (a wrong clock), no source would be due.
  const sources = last && last.at > now ? {} : parseSourcesState(opened.sources)
  const guard = parseGuard(opened.guard)
  const evaluation = await evaluateCycle(deps, withBaselines(opened, now), sources, guard)
  const { at, results, clockAhead } = evaluation
  if (isClockWrong(clockAhead, { at, last: last?.at })) {
    await reportClock(env, deps, opened, clockAhead)
    return { report: { outcome: 'clock_wrong' } }
  }

  const answered = results.filter((result) => result.ok).length
  const { wholesale, statements } = invoicingOf(env.DB, last, results, at)
  const committed = await commit(env, opened, {
    scheduledAt,
    evaluation,
    guard,
    mode: deps.mode,
    summary: {
      at,
      everySeconds: deps.everySeconds,
      anySourceAnswered: answered > 0 || results.length === 0,
      historyRevision: opened.historyRevision,
      wholesale,
      holidays: holidaysOf(last, results),
    },
    sources: JSON.stringify(noteResults(sources, results, at, now)),
    invoicing: statements,
  })
  if (!committed) return { report: { outcome: 'overtaken' } }

  const { recorded, deliveries } = committed
  const board = boardOf(recorded)
  logDays(board, last)
  const published = deps.now() < opened.until && (await publish(env.BOARD, board))
  await notify(env.QUOTE_STREAM, board)
  await enqueue({ queue: env.DELIVERIES }, deliveries)
  const changed = recorded.quotes.filter(({ updatedAt }) => updatedAt === at)
  const isPastMoved = opened.historyRevision !== last?.historyRevision
  if (changed.length > 0 || isPastMoved) await drawRecent(env.DB, env.BOARD, at)
  const report: CycleReport = {
    outcome: 'recorded',
    at,
    changed: changed.map(({ pair }) => pairKey(pair)),
    held: [...recorded.held],
    requested: results.length,
    answered,
    published,
  }
  return { report, board }
}

/** What a cycle writes, beside the state from which it started. */
interface CycleWrite extends Pick<CycleRecord, 'scheduledAt' | 'summary' | 'sources'> {
  evaluation: Evaluation
  guard: Readonly<Record<string, GuardMemory>>
  mode: Mode
  invoicing: D1PreparedStatement[]
}

/**
 * Writes the cycle in one batch, or not at all. Returns the new deliveries and the rows of the new
 * board; null when the lease was lost.
 */
async function commit(
  env: CycleEnv,
  state: CycleState,
  { evaluation, guard, mode, invoicing, ...write }: CycleWrite,
) {
  const { token, historyRevision, begun, quotes } = state
  const { at } = evaluation
  // The last imported point of a pair that was never quoted counts as its current quote.
  const before = [...quotes, ...begun]
  const { memory, ...rows } = recordOf({ ...state, quotes: before }, evaluation, guard)
  const availability = sinceLast(state, mode, at)
  const after = quotesAfter(before, rows.quotes)
  const written = await recordCycle(
    env.DB,
    { token, at, begun, guard: JSON.stringify(memory), availability, ...write, ...rows },
    { deliveries: await deliveriesOf(env, rows.changes, { before, after }, at), invoicing },
  )
  if (!written) return null

  logHeld(rows, evaluation)
  const { deliveries, ...found } = written
  const inEffect = quotesAfter(quotes, rows.quotes)
  const { summary: last, sources } = write
  const expected = { mode, last, sources, quotes: inEffect, ...found }
  const isMoved = found.historyRevision !== historyRevision
  const recorded = (isMoved && (await readRecorded(env.DB))) || expected
  return { deliveries, recorded }
}

/** The time since the last cycle, counted for the status of that cycle's board. */
function sinceLast({ last, ...state }: CycleState, mode: Mode, at: Instant) {
  if (!last) return []
  const board = boardOf({ ...state, mode, last, held: new Set() })
  return settleSince({ at: last.at, status: statusOf(board, last.at).status }, at)
}

/**
 * Releases the lease. Makes the board again from the tables if the published board may be older
 * than the board that it replaced (another cycle has the lease, or the lease expired before the
 * write), or if history was corrected meanwhile.
 */
async function end(env: CycleEnv, deps: CycleDeps, state: CycleState, { report, board }: Ended) {
  try {
    const revision = await closeCycle(env.DB, state.token)
    const isOutdated =
      report.outcome === 'recorded'
        ? (!report.published && deps.now() >= state.until) || revision !== board?.historyRevision
        : report.outcome === 'clock_wrong' && revision === null
    if (isOutdated) await republish(env, deps.now())
  } catch (error) {
    // The lease expires by itself, and the next cycle publishes.
    logFailure('cycle_end_failed', error)
  }
}

/** The baseline of the guard: current quotes without imported values that are too old. */
function withBaselines(opened: CycleState, now: Instant): CycleState {
  const baselines = opened.begun.filter(({ lastScrapedAt }) => now - lastScrapedAt <= BASELINE_MS)
  return { ...opened, quotes: [...opened.quotes, ...baselines] }
}

/** Logs a wrong clock in each cycle, and publishes the last board with `clockWrong`. */
async function reportClock(
  env: CycleEnv,
  deps: CycleDeps,
  { last, until }: CycleState,
  ahead: number | null,
) {
  warn('clock_wrong', {
    aheadSeconds: ahead === null ? null : Math.round(ahead / SECOND_MS),
    recordedUntil: last && formatUtc(last.at),
  })
  const recorded = await readRecorded(env.DB)
  if (recorded && deps.now() < until)
    await publish(env.BOARD, { ...boardOf(recorded), clockWrong: true })
}

/**
 * Logs the differences of the list of holidays when they change, and once a business day on which
 * Banco Nación printed no table.
 */
function logDays(board: Board, last: CycleState['last']): void {
  const { decreed, lacking, generatedAt } = board
  const days = JSON.stringify([decreed, lacking])
  if (days !== JSON.stringify([last?.holidays?.decreed, last?.holidays?.lacking]))
    log('holidays', { decreed: decreed?.map(({ day }) => day), lacking })
  const dueAt = tableDueAt(generatedAt, board)
  const day = mayBeHoliday(board, generatedAt)
  if (day !== null && dueAt !== null && (last?.at ?? 0) < dueAt) warn('may_be_holiday', { day })
}

/** Logs each newly held value with its evidence, for the operator. */
function logHeld({ quarantine }: Pick<CycleRecord, 'quarantine'>, { decisions }: Evaluation): void {
  for (const [pair, { decision }] of decisions) {
    const begins = quarantine.some((write) => write.kind === 'hold' && write.pair === pair.id)
    if (!begins || !decision.held) continue
    const { source, reason, evidence } = decision.held
    log('value_held', { pair: pairKey(pair), source, reason, evidence })
  }
}
