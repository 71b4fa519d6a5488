/** Runs the guard over recorded sources, one cycle every five minutes. */
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { pairRhythm } from '../../../shared/market/market-hours.ts'
import { isOpenToConfirm } from '../../../workers/scraper/collect/hours.ts'
import type { Current, MarketValue } from '../../../workers/scraper/guard/facts.ts'
import { accept, type Decision, type Quoted } from '../../../workers/scraper/guard/guard.ts'
import { type GuardMemory, NEW_MEMORY } from '../../../workers/scraper/guard/memory.ts'
import type { Candidate } from '../../../workers/scraper/pairs/derivation.ts'
import { CYCLE_MS, type PairSources, type ReplaySource, shownAt, spanOf } from './sources.ts'

export interface Publication extends Quoted {
  at: Instant
}

/** A period in which the guard held one source near one value in every cycle. */
interface Hold extends Publication {
  /** Its length, nights included. */
  minutes: number
}

/** The state of a pair between two cycles. */
export interface GuardState {
  current: Current | null
  memory: GuardMemory
}

export const NEVER_READ: GuardState = { current: null, memory: NEW_MEMORY }

/** One cycle of a pair. */
interface Cycle {
  pair: Pair
  now: Instant
  /** The values in effect of all pairs before the cycle. */
  market: readonly MarketValue[]
  before: GuardState
  after: GuardState
  /** Null when no source of the pair was due. */
  decision: Decision | null
}

/** Runs several pairs together, because the guard of each reads the others' values in effect. */
export function simulate(
  pairs: readonly PairSources[],
  observe?: (cycle: Cycle) => void,
): PairRun[] {
  const { start, end } = spanOf(pairs.flatMap(({ sources }) => sources))
  const runs = pairs.map((one) => new PairRun(one))
  for (let now = start; now <= end; now += CYCLE_MS) {
    const market = runs.flatMap((run) => run.value(now) ?? [])
    for (const run of runs) {
      const before = run.state
      const decision = run.cycle(now, market)
      observe?.({ pair: run.pair, now, market, before, after: run.state, decision })
    }
  }
  return runs
}

/** A pair and its sources, cycle after cycle. */
export class PairRun implements PairSources {
  readonly pair: Pair
  readonly sources: readonly ReplaySource[]
  readonly publications: Publication[] = []
  readonly holds: Hold[] = []
  state: GuardState
  #isHeld = false

  constructor({ pair, sources }: PairSources, state = NEVER_READ) {
    this.pair = pair
    this.sources = sources
    this.state = state
  }

  /**
   * The view that other pairs have of this one: the value in effect, the last readings of its
   * sources, and its documents' current values, even if the pair is not due: one document may hold
   * several pairs.
   */
  value(now: Instant): MarketValue | null {
    const { current, memory } = this.state
    if (!current) return null

    const printed = this.sources.flatMap((source) => shownAt(source, now) ?? [])
    return { ...current, pair: this.pair, readings: [...memory.sources, ...printed] }
  }

  /** The guard's decision; null in a cycle in which no source of the pair is due. */
  cycle(now: Instant, market: readonly MarketValue[]): Decision | null {
    const { current, memory } = this.state
    const isWaiting = memory.held && isOpenToConfirm(pairRhythm(this.pair).hours, now)
    const isDue = (source: ReplaySource) => isWaiting || source.asked.has(now)
    const due = this.#candidates(this.sources.filter(isDue), now)
    if (due.length === 0) return null

    const others = this.#candidates(
      this.sources.filter((source) => !isDue(source)),
      now,
    )
    let decision = this.#decide(now, market, due)
    if (decision.needsFallback && others.length > 0)
      decision = this.#decide(now, market, [...due, ...others])
    const { publish, held, source } = decision
    if (publish) this.publications.push({ at: now, ...publish })
    this.#noteHold(now, held)
    const seen = current && source !== null ? { ...current, source, lastScrapedAt: now } : current
    this.state = {
      current: publish ? { ...publish, updatedAt: now, lastScrapedAt: now } : seen,
      memory: decision.memory,
    }
    return decision
  }

  #candidates(sources: readonly ReplaySource[], now: Instant): Candidate[] {
    return sources.flatMap((source) => {
      const shown = shownAt(source, now)
      if (!shown) return []
      const { name, provenance, sameDefinition, onlySell } = source
      const { buy, sell } = shown
      return [{ pair: this.pair, source: name, provenance, sameDefinition, onlySell, buy, sell }]
    })
  }

  /**
   * A recording may begin in a unit or with a tax that no pair has today (CLP per 100 until
   * September 2024, 60 % on the card dollar). The guard holds such a first value; it is accepted
   * here, as an operator would, unless it only lacks a witness.
   */
  #decide(now: Instant, market: readonly MarketValue[], candidates: readonly Candidate[]) {
    const context = { pair: this.pair, ...this.state, market, now }
    const decision = accept(candidates, { ...context, override: null })
    const { held } = decision
    if (this.state.current || !held || held.reason === 'witness') return decision

    return accept(candidates, { ...context, override: { ...held, status: 'accepted' } })
  }

  #noteHold(now: Instant, held: Decision['held']): void {
    const open = this.#isHeld ? this.holds.at(-1)! : null
    if (open) open.minutes = (now - open.at) / MINUTE_MS
    this.#isHeld = held !== null
    if (!held) return

    const isNear = (side: 'buy' | 'sell') => open && Math.abs(held[side] / open[side] - 1) < 0.05
    if (open?.source === held.source && isNear('sell') && isNear('buy')) return
    const { source, buy, sell } = held
    this.holds.push({ at: now, source, buy, sell, minutes: 0 })
  }
}
