/** From what the guard decided to the rows of the cycle. Pure. */
import { nextReference } from '../../../shared/market/change.ts'
import { type Pair, pairKey, type PairKey, PAIRS } from '../../../shared/market/catalog.ts'
import type { Board } from '../../../shared/board/board.ts'
import type { CycleRecord } from '../../../shared/db/quotes/cycle-record.ts'
import type { CycleState } from '../../../shared/db/quotes/cycles.ts'
import { boardQuote, type CurrentQuote } from '../../../shared/db/quotes/quotes.ts'
import type { Candidate } from '../pairs/candidate.ts'
import type { Evaluation } from '../evaluate-cycle.ts'
import { quarantineWrites } from './quarantine.ts'

export interface CycleRows extends Pick<CycleRecord, 'quotes' | 'changes' | 'quarantine'> {
  /** Guard memory of every pair, by its key. */
  memory: Record<string, unknown>
  held: Set<PairKey>
}

/** The rows that the evaluation makes of the state the cycle started from. */
export function recordOf(
  state: CycleState,
  { decisions, at }: Evaluation,
  guard: Readonly<Record<string, unknown>>,
): CycleRows {
  const rows: CycleRows = {
    quotes: [],
    changes: [],
    quarantine: [],
    memory: { ...guard },
    held: new Set(state.quarantine.flatMap((row) => heldKey(state, row.pair))),
  }

  for (const [pair, { decision, heard }] of decisions) {
    const key = pairKey(pair)
    const current = state.quotes.find((quote) => quote.pair === pair) ?? null
    // Its last recorded instant lies in the future, and nothing is written before that.
    if (state.ahead.includes(pair) || (current && current.updatedAt >= at)) continue
    rows.memory[key] = decision.memory

    // For the guard an old import counts as unknown, and the value as new.
    const isKnown =
      current?.buy === decision.publish?.buy && current?.sell === decision.publish?.sell
    if (decision.publish && !isKnown) {
      const quote = changedQuote(pair, current, decision.publish, at)
      rows.quotes.push(quote)
      rows.changes.push({ quote, previous: current })
    } else if (current && decision.confirmed) {
      rows.quotes.push({
        ...current,
        source: decision.source ?? current.source,
        lastScrapedAt: at,
      })
    }

    if (heard) rows.held.delete(key)
    if (decision.held) rows.held.add(key)
    rows.quarantine.push(
      ...quarantineWrites(
        state.quarantine.find((row) => row.pair === pair.id),
        { pair, held: heldValue(decision.held), published: decision.publish, heard },
      ),
    )
  }
  return rows
}

/** Every quoted pair in catalogue order, those of this cycle in their new form. */
export function boardQuotes(
  before: readonly CurrentQuote[],
  after: readonly CurrentQuote[],
  held: ReadonlySet<PairKey>,
): Board['quotes'] {
  return PAIRS.flatMap((pair) => {
    const quote =
      after.find((quote) => quote.pair === pair) ?? before.find((quote) => quote.pair === pair)
    return quote ? [boardQuote(quote, held.has(pairKey(pair)))] : []
  })
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

function heldKey(state: CycleState, pairId: number): PairKey[] {
  const quote = state.quotes.find((quote) => quote.pair.id === pairId)
  return quote ? [pairKey(quote.pair)] : []
}
