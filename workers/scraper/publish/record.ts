/** From the guard's decisions to the rows of the cycle. Pure. */
import { nextReference } from '../../../shared/market/change.ts'
import { type Pair, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import type { CycleRecord, QuarantineWrite } from '../../../shared/db/quotes/cycle-record.ts'
import type { CycleState, QuarantineRow } from '../db/cycles.ts'
import type { CurrentQuote } from '../../../shared/db/quotes/quotes.ts'
import type { Candidate } from '../pairs/pair-source.ts'
import type { Evaluation } from '../evaluate-cycle.ts'
import type { Price } from '../../../shared/market/price.ts'

export interface CycleRows extends Pick<
  CycleRecord,
  'quotes' | 'otherSource' | 'changes' | 'quarantine'
> {
  /** Guard memory of every pair, by its key. */
  memory: Record<string, unknown>
}

/** The rows that follow from the evaluation and the state at the cycle's start. */
export function recordOf(
  state: CycleState,
  { decisions, at }: Evaluation,
  guard: Readonly<Record<string, unknown>>,
): CycleRows {
  const rows: CycleRows = {
    quotes: [],
    otherSource: [],
    changes: [],
    quarantine: [],
    memory: { ...guard },
  }

  for (const [pair, { decision, wasRead }] of decisions) {
    const key = pairKey(pair)
    const current = state.quotes.find((quote) => quote.pair === pair) ?? null
    // No point is written before the value in effect.
    if (current && current.updatedAt >= at) continue
    rows.memory[key] = decision.memory

    // For the guard an old import is no baseline, so its value counts as new.
    const isKnown =
      current?.buy === decision.publish?.buy && current?.sell === decision.publish?.sell
    if (decision.publish && !isKnown) {
      const quote = changedQuote(pair, current, decision.publish, at)
      rows.quotes.push(quote)
      rows.changes.push({ quote, previous: current })
    } else if (current && decision.confirmed) {
      const source = decision.source ?? current.source
      const quote = { ...current, source, lastScrapedAt: at }
      rows.quotes.push(quote)
      if (source !== current.source) rows.otherSource.push(quote)
    }

    rows.quarantine.push(
      ...quarantineWrites(
        state.quarantine.find((row) => row.pair === pair.id),
        { pair, held: heldValue(decision.held), published: decision.publish, wasRead },
      ),
    )
  }
  return rows
}

/** The quotes in effect after these rows are written, in catalogue order. */
export function quotesAfter(
  before: readonly CurrentQuote[],
  written: readonly CurrentQuote[],
): CurrentQuote[] {
  const byPair = new Map([...before, ...written].map((quote) => [quote.pair, quote]))
  return PAIRS.flatMap((pair) => byPair.get(pair) ?? [])
}

function changedQuote(
  pair: Pair,
  current: CurrentQuote | null,
  { buy, sell, source }: Candidate,
  at: number,
): CurrentQuote {
  const referenceSell = nextReference(current, at)
  return { pair, buy, sell, source, updatedAt: at, lastScrapedAt: at, referenceSell }
}

function heldValue(held: { candidate: Candidate; reason: string } | null) {
  if (!held) return null

  const { buy, sell, source } = held.candidate
  return { buy, sell, source, reason: held.reason }
}

/** The guard's decision on a pair, for the quarantine. */
interface PairDecision {
  pair: Pair
  held: { buy: Price; sell: Price; source: string; reason: string } | null
  published: { buy: Price; sell: Price } | null
  /** Whether any source quoted the pair: silence resolves nothing. */
  wasRead: boolean
}

/**
 * How the pair's open quarantine row follows a decision. An operator's override applies to the
 * value for which it was given. When the sources give another value, the row is closed and a new
 * one opened.
 */
function quarantineWrites(
  row: QuarantineRow | undefined,
  decided: PairDecision,
): QuarantineWrite[] {
  if (!decided.wasRead) return []
  const { held, published, pair } = decided

  if (!held) return row ? [resolve(row, published)] : []

  const hold = { kind: 'hold', pair: pair.id, ...held } as const
  if (!row) return [hold]
  if (row.status === 'held' && row.source === held.source) {
    return [{ kind: 'seen', id: row.id, buy: held.buy, sell: held.sell, reason: held.reason }]
  }
  return sameValue(row, held) ? [] : [resolve(row, published), hold]
}

function resolve(row: QuarantineRow, published: PairDecision['published']): QuarantineWrite {
  const confirmed = published !== null && sameValue(row, published)
  const status = row.status === 'held' ? (confirmed ? 'released' : 'dropped') : row.status
  return { kind: 'resolve', id: row.id, status }
}

function sameValue(a: { buy: Price; sell: Price }, b: { buy: Price; sell: Price }): boolean {
  return a.buy === b.buy && a.sell === b.sell
}
