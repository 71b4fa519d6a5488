/** One cycle: collect → accept → record → enqueue → publish → notify. */
import { DAY_MS, formatUtc, type Instant } from '../../shared/argentine-time.ts'
import { settleSince } from '../../shared/board/availability.ts'
import { BOARD_SCHEMA, type Board, type Mode } from '../../shared/board/board.ts'
import { type Pair, pairKey, type PairKey } from '../../shared/market/catalog.ts'
import { isBehind, leapOf } from '../../shared/board/clock.ts'
import { warn } from '../../shared/log.ts'
import {
  closeCycle,
  type CycleState,
  LeaseLost,
  openCycle,
  recordCycle,
} from '../../shared/db/quotes/cycles.ts'
import { drawnStatement } from '../../shared/db/quotes/charts.ts'
import {
  historyRevisionOf,
  historyRevisionStatement,
} from '../../shared/db/quotes/history-revision.ts'
import type { WaitingRow } from '../../shared/db/deliveries/waiting.ts'
import type { DeliveryMessage } from '../../shared/webhooks/delivery.ts'
import { enqueue } from '../../shared/webhooks/enqueue.ts'
import { statusOf } from '../../shared/board/status.ts'
import { drawCloses, drawRecent } from './publish/charts.ts'
import { invoicingOf } from './publish/invoicing.ts'
import { parseGuard } from './guard/stored.ts'
import { deliveriesOf, type OutboxEnv } from './publish/outbox.ts'
import { evaluateCycle, type EvaluationDeps } from './evaluate-cycle.ts'
import { notify, type StreamNamespace } from './publish/notify.ts'
import { publish } from './publish/publish.ts'
import { boardQuotes, type CycleRows, recordOf } from './publish/record.ts'
import {
  noteResults,
  parseSourcesState,
  sourceHealth,
  withoutFuture,
} from './collect/sources-state.ts'

export interface CycleEnv extends OutboxEnv {
  BOARD: KVNamespace
  DB: D1Database
  DELIVERIES: Queue<DeliveryMessage>
  QUOTE_STREAM: StreamNamespace
}

export interface CycleDeps extends EvaluationDeps {
  mode: Mode
  /** Seconds between two cycles, so that readers know how long a board is valid. */
  everySeconds: number
  newToken: () => string
}

export type CycleReport =
  /** Another cycle runs, or this one was done already. */
  | { outcome: 'skipped' }
  /** Another cycle took over while this one ran: nothing was written. */
  | { outcome: 'overtaken' }
  /** The clock is behind the last recorded instant: nothing is written into the past. */
  | { outcome: 'clock_behind' }
  | {
      outcome: 'recorded'
      at: Instant
      changed: PairKey[]
      held: PairKey[]
      asked: number
      answered: number
      published: boolean
    }

/**
 * An older imported value does not tell the order of magnitude. In 2023 prices grew less than
 * threefold in three months, and more in seven.
 */
const BASELINE_MS = 90 * DAY_MS

/**
 * Runs the cycle of `scheduledAt`. It may run twice, overlap, or die between any two steps. The
 * lease's token fences the one batch that writes. The sweeper repairs lost messages, and the next
 * cycle the board.
 */
export async function runCycle(
  env: CycleEnv,
  deps: CycleDeps,
  scheduledAt: Instant,
): Promise<CycleReport> {
  const now = deps.now()
  const state = await openCycle(env.DB, { token: deps.newToken(), now, scheduledAt })
  if (!state) return { outcome: 'skipped' }

  try {
    const { last, ahead } = state
    if (ahead.length > 0 || isBehind(last, now)) warnOfClock(state, now)
    if (isBehind(last, now)) return { outcome: 'clock_behind' }
    return await runLeased(env, deps, state, { now, scheduledAt })
  } finally {
    // A lease that cannot be given back expires by itself.
    await closeCycle(env.DB, state.token).catch(() => {})
  }
}

async function runLeased(
  env: CycleEnv,
  deps: CycleDeps,
  opened: CycleState,
  { now, scheduledAt }: { now: Instant; scheduledAt: Instant },
): Promise<CycleReport> {
  // A pair with points but no quote yet begins from its last point, as if it had been quoted.
  const state = { ...opened, quotes: [...opened.quotes, ...opened.begun] }
  const sources = withoutFuture(parseSourcesState(state.sources), now)
  const guard = parseGuard(state.guard)
  const evaluation = await evaluateCycle(deps, withBaselines(opened, now), sources, guard)
  const { at, results } = evaluation
  if (at < now) {
    warnOfClock(state, at)
    return { outcome: 'clock_behind' }
  }

  const sourcesState = noteResults(sources, results, at, now)
  const rows = recordOf(state, evaluation, guard)
  const cameBack = state.last !== null && state.last.at > at
  const answered = results.filter((result) => result.ok).length
  const board: Board = {
    schema: BOARD_SCHEMA,
    generatedAt: at,
    everySeconds: deps.everySeconds,
    mode: deps.mode,
    quotes: boardQuotes(opened.quotes, rows.quotes, rows.held),
    sources: sourceHealth(sourcesState),
    anySourceAnswered: answered > 0 || results.length === 0,
  }
  const sourcesText = JSON.stringify(sourcesState)
  const invoicing = invoicingOf(env.DB, state.last, results, at)
  const written = { scheduledAt, rows, board, sourcesText, invoicing, cameBack }
  const deliveries = await commit(env, state, written)
  if (!deliveries) return { outcome: 'overtaken' }

  await enqueue({ queue: env.DELIVERIES }, deliveries)
  const published = await publish(env.BOARD, board)
  await notify(env.QUOTE_STREAM, board)
  const changed = rows.changes.map(({ quote }) => quote)
  const beginners = opened.begun.filter(({ pair }) =>
    rows.quotes.some((quote) => quote.pair === pair),
  )
  if (changed.length + beginners.length > 0 || cameBack) {
    await drawRecent(env.BOARD, [...opened.quotes, ...beginners, ...changed], at)
  }
  return {
    outcome: 'recorded',
    at,
    changed: changed.map(({ pair }) => pairKey(pair)),
    held: [...rows.held],
    asked: results.length,
    answered,
    published,
  }
}

/** What a cycle writes, besides what the state it started from says. */
interface CycleWrite {
  scheduledAt: Instant
  rows: CycleRows
  board: Board
  /** Health and next turn per source, as JSON. */
  sourcesText: string
  invoicing: ReturnType<typeof invoicingOf>
  /** Whether the clock stands before the last cycle, and is right. */
  cameBack: boolean
}

/**
 * Writes the cycle in its one batch, and into its board the revision of the past that it found. The
 * deliveries that it made; null when the lease was lost.
 */
async function commit(
  env: CycleEnv,
  state: CycleState,
  { scheduledAt, rows, board, sourcesText, invoicing, cameBack }: CycleWrite,
): Promise<WaitingRow[] | null> {
  const { generatedAt: at, mode, everySeconds, anySourceAnswered } = board
  const { quotes, changes, quarantine, memory } = rows
  const { status } = statusOf(board, at)
  const { wholesale } = invoicing
  const leap = leapOf(state.last, at, everySeconds)
  // Drawn before the batch that records it: a cycle that dies in between draws them again.
  const drawn = await drawCloses(env.BOARD, state.dueCharts)

  try {
    const [revision, ...results] = await recordCycle(
      env.DB,
      {
        token: state.token,
        scheduledAt,
        at,
        quotes,
        changes,
        begun: state.begun,
        quarantine,
        guard: JSON.stringify(memory),
        sources: sourcesText,
        summary: { at, mode, everySeconds, anySourceAnswered, status, leap, wholesale },
        availability: sinceLast(state, at),
        cameBack,
      },
      [
        historyRevisionStatement(env.DB),
        ...deliveriesOf(env, changes, at),
        ...invoicing.statements,
        ...(drawn.length > 0 ? [drawnStatement(env.DB, drawn, state.lastClosedDay)] : []),
      ],
    )
    board.historyRevision = historyRevisionOf(revision)
    return results.flatMap((result) => (result as D1Result<WaitingRow>).results)
  } catch (error) {
    if (error instanceof LeaseLost) return null
    throw error
  }
}

/** The baseline of the guard: current quotes without imported values that are too old. */
function withBaselines(opened: CycleState, now: Instant): CycleState {
  const baselines = opened.begun.filter(({ lastScrapedAt }) => now - lastScrapedAt <= BASELINE_MS)
  return { ...opened, quotes: [...opened.quotes, ...baselines] }
}

/** Logged each time, so that an operator sees how long it lasts. */
function warnOfClock({ last, ahead }: { last: CycleState['last']; ahead: Pair[] }, now: Instant) {
  const recordedUntil = last && last.at >= now ? formatUtc(last.at) : null
  warn('clock_behind', { recordedUntil, pairs: ahead.map(pairKey) })
}

/** Nothing before the first cycle, nor after one that did not keep its status. */
function sinceLast({ last }: CycleState, at: Instant) {
  return last?.status ? settleSince({ at: last.at, status: last.status }, at) : []
}
