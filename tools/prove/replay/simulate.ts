/** Runs the guard over recorded sources, one cycle every five minutes. */
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { isOpenToConfirm, pairRhythm } from '../../../shared/market/market-hours.ts'
import type { Current, MarketValue } from '../../../workers/scraper/guard/facts.ts'
import { accept, type Decision } from '../../../workers/scraper/guard/guard.ts'
import type { Level } from '../../../workers/scraper/guard/level.ts'
import { type GuardMemory, NEW_MEMORY } from '../../../workers/scraper/guard/memory.ts'
import type { Candidate } from '../../../workers/scraper/pairs/derivation.ts'
import { CYCLE_MS, type PairSources, type ReplaySource, shownAt, spanOf } from './sources.ts'

export interface Publication extends Level {
  at: Instant
  source: string
}

/** A period in which the guard held one source near one value in every cycle. */
interface Hold extends Publication {
  /** Its length, nights included. */
  minutes: number
}

export interface Simulation extends PairSources {
  publications: Publication[]
  holds: Hold[]
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
  market: readonly PairSources[],
  observe?: (cycle: Cycle) => void,
): Simulation[] {
  const { start, end } = spanOf(market.flatMap(({ sources }) => sources))
  const runs = market.map((one) => ({
    run: new PairRun(one),
    simulation: { ...one, publications: [], holds: [] } as Simulation,
    open: null as Hold | null,
  }))
  for (let now = start; now <= end; now += CYCLE_MS) {
    const values = runs.flatMap(({ run }) => run.value(now) ?? [])
    for (const one of runs) {
      const { run, simulation } = one
      const before = run.state
      const decision = run.cycle(now, values)
      observe?.({ pair: simulation.pair, now, market: values, before, after: run.state, decision })
      if (!decision) continue

      one.open = holdAt(now, decision, one.open)
      if (one.open?.at === now) simulation.holds.push(one.open)
      if (!decision.publish) continue
      const { buy, sell, source } = decision.publish
      simulation.publications.push({ at: now, buy, sell, source })
    }
  }
  return runs.map(({ simulation }) => simulation)
}

function isNear(price: number, other: number): boolean {
  return Math.abs(price / other - 1) < 0.05
}

/** The hold that a decision begins or continues. */
function holdAt(now: Instant, { held }: Decision, open: Hold | null): Hold | null {
  if (open) open.minutes = (now - open.at) / MINUTE_MS
  if (!held) return null

  const { source, buy, sell } = held
  if (open?.source === source && isNear(sell, open.sell) && isNear(buy, open.buy)) return open
  return { at: now, buy, sell, source, minutes: 0 }
}

/** A pair and its sources, cycle after cycle. */
export class PairRun {
  state: GuardState
  readonly #pair: Pair
  readonly #sources: readonly ReplaySource[]

  constructor({ pair, sources }: PairSources, state = NEVER_READ) {
    this.state = state
    this.#pair = pair
    this.#sources = sources
  }

  /**
   * The view that other pairs have of this one: the value in effect, the last readings of its
   * sources, and its documents' current values, even if the pair is not due: one document may hold
   * several pairs.
   */
  value(now: Instant): MarketValue | null {
    const { current, memory } = this.state
    if (!current) return null

    const { buy, sell, lastScrapedAt } = current
    const printed = this.#sources.flatMap((source) => shownAt(source, now) ?? [])
    return { pair: this.#pair, buy, sell, lastScrapedAt, readings: [...memory.sources, ...printed] }
  }

  /** The guard's decision; null in a cycle in which no source of the pair is due. */
  cycle(now: Instant, market: readonly MarketValue[]): Decision | null {
    const { current, memory } = this.state
    const isWaiting = memory.held && isOpenToConfirm(pairRhythm(this.#pair).hours, now)
    const isDue = (source: ReplaySource) => isWaiting || source.asked.has(now)
    const due = this.#sources.filter(isDue)
    if (due.length === 0) return null

    const asked = this.#candidates(due, now)
    const reserve = this.#candidates(
      this.#sources.filter((source) => !isDue(source)),
      now,
    )
    let decision = this.#decide(now, market, asked)
    if (decision.needsFallback && reserve.length > 0)
      decision = this.#decide(now, market, [...asked, ...reserve])
    this.state = { current: currentAfter(current, decision, now), memory: decision.memory }
    return decision
  }

  #candidates(sources: readonly ReplaySource[], now: Instant): Candidate[] {
    return sources.flatMap((source) => {
      const shown = shownAt(source, now)
      if (!shown) return []
      const { name, provenance, sameDefinition, onlySell } = source
      const { buy, sell } = shown
      return [{ pair: this.#pair, source: name, provenance, sameDefinition, onlySell, buy, sell }]
    })
  }

  /**
   * A recording may begin in a unit or with a tax that no pair has today (CLP per 100 until
   * September 2024, 60 % on the card dollar). The guard holds such a first value; it is accepted
   * here, as an operator would, unless it only lacks a witness.
   */
  #decide(now: Instant, market: readonly MarketValue[], candidates: readonly Candidate[]) {
    const input = { pair: this.#pair, ...this.state, market, now }
    const decision = accept(candidates, { ...input, override: null })
    const { held } = decision
    if (this.state.current || !held || held.reason === 'witness') return decision

    const { buy, sell } = held
    return accept(candidates, { ...input, override: { buy, sell, status: 'accepted' } })
  }
}

function currentAfter(
  current: Current | null,
  { publish, source }: Decision,
  now: Instant,
): Current | null {
  const seen = { updatedAt: now, lastScrapedAt: now }
  if (publish) return { buy: publish.buy, sell: publish.sell, source: publish.source, ...seen }
  return current && source !== null ? { ...current, source, lastScrapedAt: now } : current
}
