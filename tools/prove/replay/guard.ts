/**
 * The only place where the replay calls the guard: what a cycle of the service hands to it
 * (`workers/scraper/evaluate-cycle.ts`) and what it makes of the answer (`workers/scraper/publish/record.ts`).
 */
import type { Instant } from '../../../shared/argentine-time.ts'
import { type Pair, type PairKey, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { accept, type Current, type Decision } from '../../../workers/scraper/guard/guard.ts'
import type { Candidate } from '../../../workers/scraper/pairs/pair-source.ts'

export interface Level {
  buy: number
  sell: number
}

/** What is kept of a pair between two cycles. */
export interface GuardState {
  current: Current | null
  memory: unknown
  /** What its sources last said. */
  readings: readonly Level[]
}

/** What other pairs see of a pair. */
export type OtherPair = Current & Pick<GuardState, 'readings'>

export interface CycleReadings {
  pair: Pair
  now: Instant
  /** What the sources that were due say. */
  asked: readonly Candidate[]
  /** What the others would say, asked when the guard wants more. */
  reserve: readonly Candidate[]
  /** The value in effect of every other pair: its relatives are among them. */
  others: (pair: PairKey) => OtherPair | null
}

/** Sources of a first value contradict each other: time or another one of them decides. */
const UNSETTLED = ['unsettled', 'witness']

export const NEVER_READ: GuardState = { current: null, memory: undefined, readings: [] }

/** One cycle of a pair. */
export function evaluateCycle(
  state: GuardState,
  read: CycleReadings,
): { decision: Decision; state: GuardState } {
  const first = decide(state, read, read.asked)
  const decision =
    first.needsFallback && read.reserve.length > 0
      ? decide(state, read, [...read.asked, ...read.reserve])
      : first
  return {
    decision,
    state: {
      current: nextCurrent(state, decision, read.now),
      memory: decision.memory,
      readings: readingsOf(decision.memory.sources, state.readings),
    },
  }
}

/**
 * A recording may begin in a unit or with a tax that no pair has today (CLP per 100 until September
 * 2024, the card dollar's 60 %): its first value is accepted as an operator would do it.
 */
function decide(
  { current, memory }: GuardState,
  { pair, now, others }: CycleReadings,
  candidates: readonly Candidate[],
): Decision {
  const market = PAIRS.flatMap((pair) => {
    const value = others(pairKey(pair))
    return value ? [{ pair, ...value }] : []
  })
  const input = { pair, current, memory, candidates, failed: [], market, now }
  const decision = accept({ ...input, override: null })
  if (current || !decision.held || UNSETTLED.includes(decision.held.reason)) return decision

  const { buy, sell } = decision.held.candidate
  return accept({ ...input, override: { buy, sell, status: 'accepted' } })
}

/** What other pairs see of it, with what its documents print in this cycle. */
export function otherPair(
  { current, readings }: GuardState,
  said: readonly Level[],
): OtherPair | null {
  return current && { ...current, readings: [...readings, ...said] }
}

/** The same list for as long as nothing changes: what remembers it can compare by reference. */
function readingsOf(sources: readonly Level[], before: readonly Level[]): readonly Level[] {
  const isSame =
    sources.length === before.length &&
    sources.every(({ buy, sell }, index) => {
      const known = before[index]!
      return known.buy === buy && known.sell === sell
    })
  return isSame ? before : sources.map(({ buy, sell }) => ({ buy, sell }))
}

function nextCurrent(
  { current }: GuardState,
  { publish, confirmed, source }: Decision,
  now: Instant,
): Current | null {
  if (publish) {
    const { buy, sell } = publish
    return { buy, sell, source: publish.source, updatedAt: now, lastScrapedAt: now }
  }
  if (!current || !confirmed) return current

  return { ...current, source: source ?? current.source, lastScrapedAt: now }
}
