import { expect } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { findPairByKey, type Pair, type PairKey } from '../../../shared/market/catalog.ts'
import { numberToPrice, priceToNumber } from '../../../shared/market/price.ts'
import type { Current, MarketValue, Override } from '../../../workers/scraper/guard/facts.ts'
import { accept, type Decision } from '../../../workers/scraper/guard/guard.ts'
import { type GuardMemory, NEW_MEMORY } from '../../../workers/scraper/guard/memory.ts'
import type { Candidate } from '../../../workers/scraper/pairs/derivation.ts'
import { art } from '../../support/instant.ts'

/** What a source gives in a test: two prices, or one for both sides. */
export type Prices = [buy: number, sell: number] | [both: number]

/** Sources in order of preference. `near` has another definition; `twin` repeats `first`. */
const SOURCES: Record<string, Pick<Candidate, 'provenance' | 'sameDefinition'>> = {
  first: { provenance: 'first', sameDefinition: true },
  twin: { provenance: 'first', sameDefinition: true },
  second: { provenance: 'second', sameDefinition: true },
  near: { provenance: 'near', sameDefinition: false },
  third: { provenance: 'third', sameDefinition: true },
}

/** A pair between cycles: the value in effect and the guard's memory, as stored by the scraper. */
export class PairState {
  now = art('2026-03-02 12:00')
  current: Current | null
  memory: GuardMemory = NEW_MEMORY
  override: Override | null = null
  /** The values in effect of other pairs. */
  market: readonly MarketValue[] = []
  private readonly pair: Pair

  constructor(key: PairKey, inEffect?: Level) {
    const times = { updatedAt: this.now - 20 * MINUTE_MS, lastScrapedAt: this.now }
    this.pair = findPairByKey(key)!
    this.current = inEffect ? { ...levelOf(inEffect), source: 'first', ...times } : null
  }

  /** One cycle, five minutes after the last one. */
  cycle(given: Record<string, Prices>): Decision {
    this.now += 5 * MINUTE_MS
    const { pair, current, memory, override, market, now } = this
    const context = { pair, current, memory, override, market, now }
    const decision = accept(candidatesOf(pair, given), context)
    const { publish, source } = decision
    if (publish) this.current = { ...publish, updatedAt: now, lastScrapedAt: now }
    else if (current && source) this.current = { ...current, lastScrapedAt: now }
    this.memory = decision.memory
    return decision
  }

  /** Repeats the same cycle. */
  cycles(times: number, given: Record<string, Prices>): void {
    for (let left = times; left > 0; left -= 1) this.cycle(given)
  }

  /** The sell in effect. */
  sell(): number | null {
    return this.current && priceToNumber(this.current.sell)
  }
}

function candidatesOf(pair: Pair, given: Record<string, Prices>): Candidate[] {
  return Object.keys(SOURCES).flatMap((source) => {
    const prices = given[source]
    if (prices === undefined) return []
    const onlySell = pair.singleValue || prices.length === 1
    return [{ pair, source, ...SOURCES[source]!, onlySell, ...levelOf(prices) }]
  })
}

function levelOf([buy, sell = buy]: [number, number?]): { buy: number; sell: number } {
  return { buy: numberToPrice(buy), sell: numberToPrice(sell) }
}

export type Level = [buy: number, sell: number]

/** The expected last decision, with the sell in effect and the active source after it. */
interface Expected {
  /** The source of the new value. */
  publish?: string | null
  /** The strongest kind of evidence against the held value, and the source of that value. */
  held?: string | null
  heldOf?: string
  source?: string | null
  needsFallback?: boolean
  sell?: number
  active?: string
}

/**
 * Cycles in which sources give the same values, then the expected result; with two numbers, the
 * first and last cycle in which a source may be published. Or another event between cycles.
 */
export type Act =
  | [cycles: number | Level, given: Record<string, Prices>, seen?: Expected]
  | ((state: PairState) => unknown)

/** The history of a pair in a test: the blue dollar at 1125/1145, or another pair. */
export type Story = readonly (Act | ReturnType<typeof at>)[]

export const BLUE: Level = [1125, 1145]

export const at = (pair: PairKey, inEffect?: Level) => ({ pair, inEffect })

export function same(level: Level): Record<string, Prices> {
  return { first: level, second: level }
}

export function times(count: number, act: (turn: number) => Act): Act[] {
  return Array.from({ length: count }, (_, turn) => act(turn))
}

/** Two sources that change together every twenty cycles, and end at `BLUE`. */
export const KNOWN = times(6, (turn) => [20, same([1120 + turn, 1140 + turn])])

export const decide =
  (status: Override['status'], ...level: Level) =>
  (state: PairState) =>
    (state.override = { ...levelOf(level), status })

/** An operator corrects the value in effect, which an override had published. */
export const correct =
  (...level: Level) =>
  (state: PairState) => {
    state.current = { ...state.current!, ...levelOf(level), source: 'correction' }
    state.override = null
  }

export const market = (sells: Partial<Record<PairKey, number | Level>>) => (state: PairState) =>
  (state.market = Object.entries(sells).map(([key, sell]) => {
    return {
      pair: findPairByKey(key)!,
      ...levelOf([sell].flat() as Level),
      lastScrapedAt: state.now,
    }
  }))

export const pass = (hours: number) => (state: PairState) => (state.now += hours * HOUR_MS)

export function play(story: Story): PairState {
  let state = new PairState('USD/BLUE', BLUE)
  for (const act of story) {
    if (typeof act === 'function') act(state)
    else if ('pair' in act) state = new PairState(act.pair, act.inEffect)
    else playCycles(state, act)
  }
  return state
}

function playCycles(state: PairState, act: Exclude<Act, (state: PairState) => unknown>): void {
  const [times, given, seen] = act
  const isUntil = typeof times !== 'number'
  const most = isUntil ? times[1] : times
  let decision = state.cycle(given)
  let cycles = 1
  while (cycles < most) {
    if (isUntil && decision.publish) break
    decision = state.cycle(given)
    cycles += 1
  }
  const happened = {
    ...decision,
    cycles,
    publish: decision.publish?.source ?? null,
    held: decision.held?.reason ?? null,
    heldOf: decision.held?.source,
    sell: state.sell(),
    active: state.memory.active?.name,
  }
  const published = { publish: expect.any(String) as string }
  expect(happened, JSON.stringify(act)).toMatchObject({ ...(isUntil && published), ...seen })
  if (isUntil) expect(cycles, JSON.stringify(act)).toBeGreaterThanOrEqual(times[0])
}
