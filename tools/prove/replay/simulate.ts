/** Runs the guard over recorded sources, one cycle every five minutes. */
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { isLookedOn, pairRhythm } from '../../../shared/market/market-hours.ts'
import type { MarketValue } from '../../../workers/scraper/guard/decision.ts'
import {
  accept,
  type Current,
  type Decision,
  type GuardMemory,
  isHolding,
} from '../../../workers/scraper/guard/guard.ts'
import type { Candidate } from '../../../workers/scraper/pairs/pair-source.ts'
import { readingAt, type Sides } from './series.ts'
import { CYCLE_MS, type PairSources, type ReplaySource, spanOf, Timetable } from './sources.ts'

export interface Publication extends Sides {
  at: Instant
  source: string
}

/** One for as long as the guard holds the same source back near the same value. */
export interface Hold extends Publication {
  /** How long it lasted, nights included. */
  minutes: number
}

export interface Simulation extends PairSources {
  publications: Publication[]
  holds: Hold[]
}

/** What is kept of a pair between two cycles. */
export interface GuardState {
  current: Current | null
  memory: GuardMemory | undefined
}

/** A cycle of a pair. */
export interface Cycle {
  pair: Pair
  now: Instant
  /** What every pair has in effect before it. */
  market: readonly MarketValue[]
  before: GuardState
  after: GuardState
  /** Null when no source of the pair was due. */
  decision: Decision | null
}

/** Runs several pairs at once, each of which sees what the others have in effect. */
export function simulate(
  market: readonly PairSources[],
  timetable = new Timetable(market),
  watch?: (cycle: Cycle) => void,
): Simulation[] {
  const { start, end } = spanOf(market.flatMap(({ sources }) => sources))
  const runs = market.map((one) => ({
    run: new PairRun(one, timetable),
    simulation: { ...one, publications: [], holds: [] } as Simulation,
    note: { open: null, last: start } as HoldNote,
  }))
  for (let now = start; now <= end; now += CYCLE_MS) {
    const values = runs.flatMap(({ run }) => run.value(now) ?? [])
    for (const { run, simulation, note } of runs) {
      const before = run.state
      const decision = run.cycle(now, values)
      watch?.({ pair: simulation.pair, now, market: values, before, after: run.state, decision })
      if (!decision) continue

      noteHold(simulation.holds, note, decision, now)
      if (!decision.publish) continue
      const { buy, sell, source } = decision.publish
      simulation.publications.push({ at: now, buy, sell, source })
    }
  }
  return runs.map(({ simulation }) => simulation)
}

interface HoldNote {
  open: Hold | null
  last: Instant
}

function noteHold(holds: Hold[], note: HoldNote, { held }: Decision, now: Instant) {
  if (note.open) note.open.minutes += (now - note.last) / MINUTE_MS
  note.last = now
  if (!held) note.open = null
  else if (!note.open || !isSameHold(note.open, held.candidate)) {
    const { buy, sell, source } = held.candidate
    note.open = { at: now, buy, sell, source, minutes: 0 }
    holds.push(note.open)
  }
}

function isSameHold(hold: Hold, { source, buy, sell }: Candidate): boolean {
  const isNear = Math.abs(sell / hold.sell - 1) < 0.05 && Math.abs(buy / hold.buy - 1) < 0.05
  return source === hold.source && isNear
}

/** Sources of a first value contradict each other: time or another one of them decides. */
const UNSETTLED = ['unsettled', 'witness']

export const NEVER_READ: GuardState = { current: null, memory: undefined }

/** A pair and its sources, cycle after cycle. */
export class PairRun {
  state: GuardState
  readonly #pair: Pair
  readonly #sources: readonly ReplaySource[]
  readonly #timetable: Timetable

  constructor({ pair, sources }: PairSources, timetable: Timetable, state = NEVER_READ) {
    this.state = state
    this.#pair = pair
    this.#sources = sources
    this.#timetable = timetable
  }

  /**
   * What other pairs see of it: the value in effect, what its sources last said, and what its
   * documents print now, whether or not its own turn has come: one may hold several pairs.
   */
  value(now: Instant): MarketValue | null {
    const { current, memory } = this.state
    if (!current || !memory) return null

    const { buy, sell, lastScrapedAt } = current
    const printed = this.#sources.flatMap(({ observations }) => readingAt(observations, now) ?? [])
    const known = memory.sources.map(({ buy, sell }) => ({ buy, sell }))
    return { pair: this.#pair, buy, sell, lastScrapedAt, readings: [...known, ...printed] }
  }

  /** What the guard decides; null in a cycle in which no source of the pair is due. */
  cycle(now: Instant, market: readonly MarketValue[]): Decision | null {
    const { current, memory } = this.state
    const isWaiting = isHolding(memory) && isLookedOn(pairRhythm(this.#pair).hours, now)
    const isDue = (source: ReplaySource) =>
      isWaiting || this.#timetable.isAsked(this.#pair, source, now)
    const due = this.#sources.filter(isDue)
    if (due.length === 0) return null

    const asked = this.#candidates(due, now)
    const reserve = this.#candidates(
      this.#sources.filter((source) => !due.includes(source)),
      now,
    )
    let decision = this.#decide(now, market, asked)
    if (decision.needsFallback && reserve.length > 0)
      decision = this.#decide(now, market, [...asked, ...reserve])
    this.state = { current: nextCurrent(current, decision, now), memory: decision.memory }
    return decision
  }

  #candidates(sources: readonly ReplaySource[], now: Instant): Candidate[] {
    return sources.flatMap(
      ({ name, provenance, sameDefinition = true, onlySell = false, observations }) => {
        const said = readingAt(observations, now)
        if (!said) return []
        const { buy, sell } = said
        return [{ pair: this.#pair, source: name, provenance, sameDefinition, onlySell, buy, sell }]
      },
    )
  }

  /**
   * A recording may begin in a unit or with a tax that no pair has today (CLP per 100 until
   * September 2024, the card dollar's 60 %): its first value is accepted as an operator would do it.
   */
  #decide(now: Instant, market: readonly MarketValue[], candidates: readonly Candidate[]) {
    const input = { pair: this.#pair, ...this.state, candidates, failed: [], market, now }
    const decision = accept({ ...input, override: null })
    const { held } = decision
    if (this.state.current || !held || UNSETTLED.includes(held.reason)) return decision

    const { buy, sell } = held.candidate
    return accept({ ...input, override: { buy, sell, status: 'accepted' } })
  }
}

function nextCurrent(
  current: Current | null,
  { publish, confirmed, source }: Decision,
  now: Instant,
): Current | null {
  if (publish) {
    const { buy, sell } = publish
    return { buy, sell, source: publish.source, updatedAt: now, lastScrapedAt: now }
  }
  return current && confirmed
    ? { ...current, source: source ?? current.source, lastScrapedAt: now }
    : current
}
