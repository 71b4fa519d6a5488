/** Requests the sources of one cycle, and lets the guard decide on each pair. */
import type Big from 'big.js'
import type { Instant } from '../../shared/argentine-time.ts'
import type { Mode } from '../../shared/board/board.ts'
import { type Pair, pairKey, PAIRS } from '../../shared/market/catalog.ts'
import { closedByList, tradedDayOf } from '../../shared/market/market-hours.ts'
import type { CycleState } from './db/cycles.ts'
import { accept, type Decision } from './guard/guard.ts'
import { type GuardMemory, NEW_MEMORY } from './guard/memory.ts'
import { createClockCheck, collect, type SourceResult } from './collect/collect.ts'
import { deriveCandidates } from './pairs/candidates.ts'
import { planFallbacks, planFirst } from './collect/schedule.ts'
import { SOURCES } from './sources/index.ts'
import type { SourcesState } from './collect/sources-state.ts'

/** The free plan allows 50 subrequests per invocation, and two are reserved. */
export const MOST_FETCHES = 48

export interface EvaluationDeps {
  now: () => Instant
  fetch: typeof fetch
  /** Only `live` has a schedule: demo and replays request every source in every cycle. */
  mode: Mode
  tarjetaRate: Big
}

/** The result of an evaluation: the last decision on each pair that was evaluated. */
export interface Evaluation {
  decisions: Map<Pair, PairEvaluation>
  results: SourceResult[]
  /** When the last document arrived: the instant of all readings. */
  at: Instant
  /** How far the clock is ahead of the sources' clocks, in ms; null with too few hosts. */
  clockAhead: number | null
}

export interface PairEvaluation {
  decision: Decision
  /** Whether any source quoted the pair. */
  wasRead: boolean
}

/** Requests the sources that are due, then the fallbacks that the guard needs. */
export async function evaluateCycle(
  deps: EvaluationDeps,
  state: CycleState,
  sourcesState: SourcesState,
  guard: Readonly<Record<string, GuardMemory>>,
): Promise<Evaluation> {
  const current = new Map(state.quotes.map((quote) => [pairKey(quote.pair), quote]))
  const known = {
    tableDay: state.last?.wholesale?.day,
    tradedDay: tradedDayOf(state.quotes),
    decreed: state.last?.holidays?.decreed,
  }
  const planContext = { state: sourcesState, now: deps.now(), ...known }
  const plan =
    deps.mode === 'live'
      ? planFirst(planContext, {
          active: (key) => guard[key]?.active?.name ?? current.get(key)?.source,
          isHeld: (key) => Boolean(guard[key]?.held),
        })
      : { pairs: PAIRS, sources: SOURCES }
  const replayed = deps.mode === 'upstream'
  const decisions = new Map<Pair, PairEvaluation>()
  // Each document is requested once per cycle. The rest of the budget is for retries.
  const clock = createClockCheck()
  const collecting = { ...deps, replayed, clock, retries: { left: MOST_FETCHES - SOURCES.length } }
  const results = await collect(collecting, plan.sources)
  let at = deps.now()
  const evaluatePairs = (pairs: readonly Pair[]) => {
    const decreed = closedByList(known)
    const context = { now: at, replayed, tarjetaRate: deps.tarjetaRate, current, decreed }
    const derived = new Map(PAIRS.map((pair) => [pair, deriveCandidates(pair, results, context)]))
    // A document of several pairs gives readings of all its pairs, also of pairs that are not due.
    const market = state.quotes.map((quote) => {
      const known = guard[pairKey(quote.pair)]?.sources ?? []
      return { ...quote, readings: [...known, ...derived.get(quote.pair)!.candidates] }
    })
    for (const pair of pairs) {
      const { candidates, failed } = derived.get(pair)!
      // No document of the pair was requested, so the pair keeps its state.
      if (candidates.length === 0 && failed.length === 0) continue

      const decision = accept(candidates, {
        pair,
        market,
        now: at,
        current: current.get(pairKey(pair)) ?? null,
        memory: guard[pairKey(pair)] ?? NEW_MEMORY,
        override: overrideOf(state, pair),
      })
      decisions.set(pair, { decision, wasRead: candidates.length > 0 })
    }
  }
  evaluatePairs(plan.pairs)

  const wanting = plan.pairs.filter((pair) => decisions.get(pair)?.decision.needsFallback)
  const requested = new Set(results.map((result) => result.source))
  const more = planFallbacks(wanting, requested, planContext)
  if (more.length > 0) {
    results.push(...(await collect(collecting, more)))
    at = deps.now()
    evaluatePairs(wanting)
  }
  return { decisions, results, at, clockAhead: clock.ahead() }
}

function overrideOf({ quarantine }: CycleState, pair: Pair) {
  const row = quarantine.find((row) => row.pair === pair.id && row.status !== 'held')
  if (!row || (row.status !== 'accepted' && row.status !== 'rejected')) return null

  return { buy: row.buy, sell: row.sell, status: row.status }
}
