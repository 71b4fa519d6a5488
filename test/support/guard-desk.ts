import { type Instant, MINUTE_MS } from '../../shared/argentine-time.ts'
import { findPairByKey, type Pair, type PairKey } from '../../shared/market/catalog.ts'
import { numberToPrice, priceToNumber } from '../../shared/market/price.ts'
import {
  accept,
  type Current,
  type Decision,
  type GuardMemory,
  type MarketValue,
  type Override,
} from '../../workers/scraper/guard/guard.ts'
import type { Candidate } from '../../workers/scraper/pairs/pair-source.ts'
import { art } from './instant.ts'

/** What a source says in a test: two prices, the one that it gives, or nothing because it failed. */
export type Says = [buy: number, sell: number] | [both: number] | 'fails'

/** Sources of a test, in order of preference. `near` has another definition; `twin` repeats `first`. */
const SOURCES: Record<string, Pick<Candidate, 'provenance' | 'sameDefinition'>> = {
  first: { provenance: 'first', sameDefinition: true },
  twin: { provenance: 'first', sameDefinition: true },
  second: { provenance: 'second', sameDefinition: true },
  near: { provenance: 'near', sameDefinition: false },
  third: { provenance: 'third', sameDefinition: true },
}

export interface Desk {
  now: Instant
  current: Current | null
  memory: GuardMemory | undefined
  override: Override | null
  /** What other pairs have in effect. */
  market: readonly MarketValue[]
  /** One cycle, five minutes after the last one. */
  cycle(says: Record<string, Says>): Decision
  /** The same cycle again and again; the last decision. */
  cycles(times: number, says: Record<string, Says>): Decision
  /** Cycles until one publishes, or null after `most`. */
  cyclesUntilPublished(says: Record<string, Says>, most: number): number | null
  /** The sell in effect. */
  sell(): number | null
}

/** A pair between cycles: the value in effect and the guard's memory, as the scraper keeps them. */
export function openDesk(pairKey: PairKey, inEffect?: [buy: number, sell: number]): Desk {
  const pair = findPairByKey(pairKey)!
  const start = art('2026-03-02 12:00')
  const current = inEffect && {
    ...levelOf(inEffect),
    source: 'first',
    updatedAt: start - 20 * MINUTE_MS,
    lastScrapedAt: start,
  }

  return {
    now: start,
    current: current ?? null,
    memory: undefined,
    override: null,
    market: [],
    cycle(says) {
      this.now += 5 * MINUTE_MS
      const { current, memory, override, market, now } = this
      const failed = Object.keys(says).filter((name) => says[name] === 'fails')
      const candidates = candidatesOf(pair, says)
      const decision = accept({ pair, current, memory, candidates, failed, override, market, now })
      const { publish, confirmed } = decision
      if (publish) {
        const { buy, sell, source } = publish
        this.current = { buy, sell, source, updatedAt: now, lastScrapedAt: now }
      } else if (current && confirmed) {
        this.current = { ...current, lastScrapedAt: now }
      }
      this.memory = decision.memory
      return decision
    },
    cycles(times, says) {
      const decisions = Array.from({ length: times }, () => this.cycle(says))
      return decisions.at(-1)!
    },
    cyclesUntilPublished(says, most) {
      for (let count = 1; count <= most; count += 1) {
        if (this.cycle(says).publish) return count
      }
      return null
    },
    sell() {
      return this.current && priceToNumber(this.current.sell)
    },
  }
}

export function candidatesOf(pair: Pair, says: Record<string, Says>): Candidate[] {
  return Object.keys(SOURCES).flatMap((source) => {
    const said = says[source]
    if (said === undefined || said === 'fails') return []
    const onlySell = pair.singleValue || said.length === 1
    return [{ pair, source, ...SOURCES[source]!, onlySell, ...levelOf(said) }]
  })
}

function levelOf([buy, sell = buy]: [number, number?]): { buy: number; sell: number } {
  return { buy: numberToPrice(buy), sell: numberToPrice(sell) }
}
