/** What the guard knows of a pair and thinks of each source's last word: for the operator. */
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Current, MarketValue } from './decision.ts'
import { assess, type AssessmentContext } from './assessment.ts'
import { MILLION, recall, type SourceMemory } from './observe/memory.ts'
import { isBasisKnown } from './observe/basis.ts'
import { offRelatives } from './observe/relatives.ts'
import { isFresh, isLive, isOverdue } from './observe/rhythm.ts'
import { usualSpread } from './observe/spread.ts'
import { floorBetween } from './select/witnesses.ts'

export interface SourceOpinion {
  name: string
  buy: number
  sell: number
  seenAt: Instant
  changedAt: Instant | null
  /** Shares of the value; null when not known. */
  basis: { buy: number; sell: number } | null
  noise: number
  spread: { low: number; high: number } | null
  /** Cycles between two changes; null when not known. */
  interval: number | null
  inUse: boolean
  /** `speaks`, `good`, `silent`, `frozen`, or the name of the rule that doubts it. */
  opinion: string
}

export interface PairOpinion {
  sources: SourceOpinion[]
  hold: { source: string; reason: string; buy: number; sell: number; cycles: number } | null
  /** How far the value in effect stands from where the pair's relatives usually have it. */
  offRelatives: number | null
}

export function explain(
  pair: Pair,
  stored: unknown,
  current: Current | null,
  market: readonly MarketValue[],
  now: Instant,
): PairOpinion {
  const memory = recall(stored)
  const context: AssessmentContext = { pair, current, memory, market, now }
  const { hold, relatives } = memory
  return {
    sources: memory.sources.map((source) => opinionOf(source, context)),
    hold: hold && {
      source: hold.source,
      reason: hold.reason,
      buy: hold.buy,
      sell: hold.sell,
      cycles: hold.cycles,
    },
    offRelatives: current && offRelatives(current.sell, relatives, market, now),
  }
}

function opinionOf(source: SourceMemory, context: AssessmentContext): SourceOpinion {
  const { pair, memory, now } = context
  const { name, buy, sell, provenance, sameDefinition, seenAt, changedAt, usual } = source
  const assessed = assess({ pair, source: name, provenance, sameDefinition, buy, sell }, context)
  const inUse = memory.activeSource?.source === name
  const others = memory.sources.filter((other) => other.provenance !== provenance)
  const noise = Math.max(0, ...others.map((other) => floorBetween(source, other, pair)))

  return {
    name,
    buy,
    sell,
    seenAt,
    changedAt,
    basis: isBasisKnown(usual)
      ? { buy: usual.basisBuy / MILLION, sell: usual.basisSell / MILLION }
      : null,
    noise,
    spread: usualSpread(usual),
    interval: usual.interval === 0 ? null : usual.interval / 10,
    inUse,
    opinion: wordFor(),
  }

  function wordFor(): string {
    if (!isFresh(source, now)) return 'silent'
    if (assessed.frozen) return 'frozen'
    if (assessed.suspicion) return assessed.suspicion.name
    if (isOverdue(source)) return inUse ? 'speaks, overdue' : 'good, overdue'
    if (inUse) return 'speaks'
    return isLive(source, now) ? 'good' : 'good, not live'
  }
}
