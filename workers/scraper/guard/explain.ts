/** What the guard knows of a pair and thinks of each source's last reading: for the operator. */
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Current, MarketValue } from './decision.ts'
import { type GuardMemory, mapSides, MILLION, recall, type SourceMemory } from './memory.ts'
import { type Context, isKnown, subjectOf } from './subject.ts'
import { ballotLine, ballotOf } from './terms.ts'
import { FRESH_MS } from './weights.ts'

export type SourceOpinion = ReturnType<typeof opinionOf>

/** Of each source that the pair's memory knows, in its order. */
export function explain(
  pair: Pair,
  stored: unknown,
  current: Current | null,
  market: readonly MarketValue[],
  now: Instant,
): SourceOpinion[] {
  const memory = recall(stored)
  const context: Context = { pair, current, memory, market, override: null, now }
  return memory.sources.map((source) => opinionOf(source, context))
}

function opinionOf(source: SourceMemory, context: Context) {
  const { memory, now } = context
  const { name, buy, sell, seenAt, since, habits } = source
  const by = memory.sources.find((one) => one.name === memory.definedBy)?.habits.offset
  return {
    name,
    buy,
    sell,
    seenAt,
    since,
    /** Shares of the value, against the source that defines it; null when not known. */
    basis: isKnown(source, context)
      ? mapSides((side) => (habits.offset[side] - (by?.[side] ?? 0)) / MILLION)
      : null,
    noise: habits.noise.sell / MILLION,
    spread: habits.spread / MILLION,
    /** Minutes between two changes. */
    interval: habits.interval,
    opinion: Math.abs(now - seenAt) > FRESH_MS ? 'silent' : opinionName(source, memory),
    /** The evidence for its last reading, in a line. */
    ballot: ballotLine(ballotOf(subjectOf(source, context))),
  }
}

function opinionName({ name, leftBehind, doubted }: SourceMemory, { held, speaker }: GuardMemory) {
  if (held?.name === name) return 'held'
  if (leftBehind) return 'left behind'
  if (doubted) return 'doubted'
  return speaker?.name === name ? 'speaks' : 'good'
}
