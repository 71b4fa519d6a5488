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

/** A period in which the guard held readings of one source in every cycle, with its first value. */
interface Hold extends Publication {
  /** The length of the period, including nights. */
  minutes: number
}

/** The state of a pair between two cycles. */
export interface GuardState {
  current: Current | null
  memory: GuardMemory
}

const NEVER_READ: GuardState = { current: null, memory: NEW_MEMORY }

/**
 * Runs several pairs together, because the guard of each pair reads the other pairs' values in
 * effect. Calls `observe` before each cycle.
 */
export function simulate(
  pairs: readonly PairSources[],
  observe?: (now: Instant, market: readonly MarketValue[], runs: readonly PairRun[]) => void,
): PairRun[] {
  const { start, end } = spanOf(pairs.flatMap(({ sources }) => sources))
  const runs = pairs.map((one) => new PairRun(one))
  for (let now = start; now <= end; now += CYCLE_MS) {
    const market = runs.flatMap(({ pair, state: { current } }) =>
      current ? { pair, ...current } : [],
    )
    observe?.(now, market, runs)
    for (const run of runs) run.cycle(now, market)
  }
  return runs
}

/** The simulation of one pair with its sources. */
export class PairRun implements PairSources {
  readonly pair: Pair
  readonly sources: readonly ReplaySource[]
  readonly publications: Publication[] = []
  readonly holds: Hold[] = []
  state: GuardState
  #held: Hold | null = null

  constructor({ pair, sources }: PairSources, state = NEVER_READ) {
    this.pair = pair
    this.sources = sources
    this.state = state
  }

  /** The guard's decision; null in a cycle in which no source of the pair is due. */
  cycle(now: Instant, market: readonly MarketValue[]): Decision | null {
    const { current, memory } = this.state
    const isWaiting = memory.held && isOpenToConfirm(pairRhythm(this.pair).hours, now)
    const due = this.sources.filter(({ asked }) => isWaiting || asked.has(now))
    if (due.length === 0) return null

    const context = { pair: this.pair, ...this.state, market, now, override: null }
    const first = accept(this.#candidates(due, now), context)
    const decision = first.needsFallback
      ? accept(this.#candidates(this.sources, now), context)
      : first
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

  #noteHold(now: Instant, held: Quoted | null): void {
    if (this.#held) this.#held.minutes = (now - this.#held.at) / MINUTE_MS
    if (held?.source === this.#held?.source) return

    this.#held = held && { ...held, at: now, minutes: 0 }
    if (this.#held) this.holds.push(this.#held)
  }
}
