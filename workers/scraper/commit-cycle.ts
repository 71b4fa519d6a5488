/** Writes what a cycle found: in one batch, or not at all. */
import type { Instant } from '../../shared/argentine-time.ts'
import { settleSince } from '../../shared/board/availability.ts'
import type { Mode } from '../../shared/board/board.ts'
import { statusOf } from '../../shared/board/status.ts'
import type { CycleSummary } from '../../shared/db/quotes/cycle-record.ts'
import { type CycleState, LeaseLost, recordCycle } from './db/cycles.ts'
import type { DueRow } from '../../shared/webhooks/enqueue.ts'
import { readRecorded } from './db/recorded.ts'
import type { invoicingOf } from './publish/invoicing.ts'
import { deliveriesOf, type OutboxEnv } from './publish/outbox.ts'
import { boardOf } from './publish/publish.ts'
import { type CycleRows, quotesAfter } from './publish/record.ts'

/** What a cycle writes in addition to the state from which it started. */
interface CycleWrite {
  scheduledAt: Instant
  rows: CycleRows
  mode: Mode
  summary: Omit<CycleSummary, 'wholesale' | 'archive'>
  /** Health and next turn per source, as JSON. */
  sourcesText: string
  invoicing: ReturnType<typeof invoicingOf>
  archive: CycleSummary['archive']
}

/**
 * Writes the cycle in its one batch. Returns the deliveries that it made and the rows of the board
 * after it; null when the lease was lost.
 */
export async function commit(
  env: OutboxEnv,
  state: CycleState,
  { scheduledAt, rows, mode, summary, sourcesText, invoicing, archive }: CycleWrite,
) {
  const { at } = summary
  const { memory, ...written } = rows
  const { wholesale } = invoicing
  const last = { ...summary, wholesale, archive }
  // A pair with points but no quote yet begins from its last point.
  const before = [...state.quotes, ...state.begun]
  const quotes = { before, after: quotesAfter(before, rows.quotes) }

  try {
    const { extra, ...found } = await recordCycle(
      env.DB,
      {
        token: state.token,
        historyRevision: state.historyRevision,
        scheduledAt,
        at,
        ...written,
        begun: state.begun,
        guard: JSON.stringify(memory),
        sources: sourcesText,
        summary: last,
        availability: sinceLast(state, mode, at),
      },
      [...(await deliveriesOf(env, rows.changes, quotes, at)), ...invoicing.statements],
    )
    const deliveries = extra.flatMap((result) => (result as D1Result<DueRow>).results)
    const inEffect = quotesAfter(state.quotes, rows.quotes)
    const expected = { mode, last, sources: sourcesText, quotes: inEffect, ...found }
    const isMoved = found.historyRevision !== state.historyRevision
    const recorded = (isMoved && (await readRecorded(env.DB))) || expected
    return { deliveries, recorded }
  } catch (error) {
    if (error instanceof LeaseLost) return null
    throw error
  }
}

/** The time since the last cycle, in the status of its board. Nothing before the first cycle. */
function sinceLast({ last, sources, quotes }: CycleState, mode: Mode, at: Instant) {
  if (!last) return []
  const board = boardOf({
    mode,
    last,
    sources,
    quotes,
    held: new Set(),
    historyRevision: undefined,
  })
  return settleSince({ at: last.at, status: statusOf(board, last.at).status }, at)
}
