/** The facts from which evidence is computed. Distances are measured from the value in effect. */
import { DAY_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { clip, distance, type Level, mapSides, type Side, widest } from './level.ts'
import {
  type GuardMemory,
  KNOWN_CYCLES,
  MILLION,
  type RelativesMemory,
  type SourceMemory,
} from './memory.ts'
import { isPlausible, usualOf } from './usual.ts'

/** The value in effect of a pair. */
export interface Current extends Level {
  source: string
  updatedAt: Instant
  lastScrapedAt: Instant
}

/** An operator's decision about a held value of the pair. */
export interface Override extends Level {
  status: 'accepted' | 'rejected'
}

/** The value in effect of a pair, for the guard of other pairs. */
export interface MarketValue extends Level {
  pair: Pair
  lastScrapedAt: Instant
  /**
   * The last readings of its sources, and its numbers in this cycle's documents, published or not.
   */
  readings?: readonly Level[]
}

/** Everything with which the guard compares a reading. */
export interface Context {
  pair: Pair
  /** Null for a pair that was never quoted. */
  current: Current | null
  /** `Decision.memory` of the pair's last cycle. */
  memory: GuardMemory
  /** The values in effect of all pairs. The guard ignores the pair's own value in it. */
  market: readonly MarketValue[]
  override: Override | null
  now: Instant
}

/** A reading counts for this long, because slow documents are requested every half hour. */
const FRESH_MS = 45 * MINUTE_MS

export function isFresh({ seenAt }: SourceMemory, now: Instant): boolean {
  return Math.abs(now - seenAt) <= FRESH_MS
}

/** Floor for the estimated noise between two sources. */
const LEAST_NOISE = 0.001

/** A source of a similar definition may be this far away while its offset is unknown. */
const NEAR_BASIS = 0.05

/** The facts about one reading. */
export type Facts = ReturnType<typeof factsOf>

export function factsOf(source: SourceMemory, context: Context) {
  const { pair, current, memory, override } = context
  const usual = usualOf(pair)
  // A value out of the plausible range (another unit) is no baseline.
  const baseline =
    current && isPlausible(current, usual) ? baselineOf(source, current, context) : null
  const moved = mapSides((side) => (baseline ? movedFrom(baseline, source, side, context) : 0))
  const bySell = Math.abs(moved.sell)
  const isBuy =
    !source.onlySell && Math.abs(moved.buy) > bySell && Math.abs(moved.buy - moved.sell) > bySell
  const side: Side = isBuy ? 'buy' : 'sell'
  const off = current && offRelatives(current.sell, memory.relatives, context)
  const isDecided = override && isOverridden(source, override, current, pair)

  return {
    context,
    usual,
    source,
    /** The value in effect plus this source's usual offset; null without a value in effect. */
    baseline,
    /** How far each side moved from the baseline, and which side is evaluated. */
    moved,
    side,
    /** The source of each other provenance that changed last. */
    witnesses: witnessesOf(source, context),
    /** The distance from the value in effect to the level that relatives predict, and its noise. */
    relatives: off === null ? null : { at: -off, noise: memory.relatives.noise / MILLION },
    /** An operator's decision about this level, or null. */
    decided: isDecided ? override.status : null,
  }
}

/**
 * Whether an operator's decision covers a level: the level is within a few usual steps of the
 * decided value, and nearer to it than to the value in effect.
 */
export function isOverridden(level: Level, decided: Level, current: Level | null, pair: Pair) {
  const off = widest(decided, level)
  return off <= 6 * usualOf(pair).step && (!current || off < widest(current, level))
}

/** The usual distance of this source from the defining source. 0 until it has been learned. */
export function offsetOf(source: SourceMemory, side: Side, context: Context): number {
  const from = definerOf(context)
  if (!from || !isKnown(source, context)) return 0
  return (source.habits.offset[side] - from.habits.offset[side]) / MILLION
}

/** A level as a source would give it: shifted by the source's usual offset. */
export function asGivenBy(source: SourceMemory, level: Level, context: Context): Level {
  return mapSides((side) => level[side] * Math.exp(offsetOf(source, side, context)))
}

/** The value in effect, shifted by the source's usual offset if that is nearer to the reading. */
function baselineOf(source: SourceMemory, current: Level, context: Context): Level {
  const usual = asGivenBy(source, current, context)
  const level = widest(current, source) < widest(usual, source) ? current : usual
  const hasBuy = !source.onlySell || source.name === definerOf(context)?.name
  return hasBuy ? level : { ...level, buy: source.buy }
}

/** While the offset is unknown, any distance up to the pair's largest offset counts as no move. */
function movedFrom(baseline: Level, source: SourceMemory, side: Side, context: Context): number {
  const moved = distance(baseline[side], source[side])
  return isKnown(source, context) ? moved : moved - clip(moved, basisOf(source, side, context.pair))
}

/** The largest permanent offset of a source from another source. */
export function basisOf({ sameDefinition }: SourceMemory, side: Side, pair: Pair): number {
  const { basis, buyBasis } = usualOf(pair)
  const own = side === 'buy' ? buyBasis : basis
  return sameDefinition ? own : Math.max(own, NEAR_BASIS)
}

/** The source that gave the value in effect and so defines it. Undefined for an imported value. */
export function definerOf({ memory }: Context): SourceMemory | undefined {
  return memory.sources.find(({ name }) => name === memory.definedBy)
}

/** Whether this source's usual offset from the defining source has been learned. */
export function isKnown({ name, habits }: SourceMemory, { memory }: Context): boolean {
  return name === memory.definedBy || habits.samples >= KNOWN_CYCLES
}

function witnessesOf({ provenance }: SourceMemory, { memory, now }: Context): SourceMemory[] {
  return memory.sources
    .filter((one) => one.provenance !== provenance && !one.copied && isFresh(one, now))
    .toSorted((a, b) => b.since - a.since)
    .filter((one, index, all) => {
      return index === all.findIndex((other) => other.provenance === one.provenance)
    })
}

/** The usual noise between two sources. */
export function noiseBetween(one: SourceMemory, other: SourceMemory, side: Side, context: Context) {
  const noiseOf = (source: SourceMemory) => {
    const unknown = isKnown(source, context) ? 0 : basisOf(source, side, context.pair)
    // The mean absolute deviation of a normal distribution is 0.8 of its standard deviation.
    return (1.25 * source.habits.noise[side]) / MILLION + unknown
  }
  return Math.hypot(LEAST_NOISE, noiseOf(one), noiseOf(other))
}

/** The distance of `sell` from the level that related pairs predict. Null without a prediction. */
export function offRelatives(sell: number, { ratios }: RelativesMemory, { market, now }: Context) {
  const offs = ratios.flatMap(({ pair, ratio, samples }) => {
    const value = relativeOf(pair, market, now)
    return value && samples >= KNOWN_CYCLES ? [distance(value.sell, sell) - ratio / MILLION] : []
  })
  return offs.toSorted((a, b) => a - b)[Math.floor((offs.length - 1) / 2)] ?? null
}

/** A related pair's value in effect, if a source confirmed it within the last day. */
export function relativeOf(key: string, market: readonly MarketValue[], now: Instant) {
  const value = market.find(({ pair }) => pairKey(pair) === key)
  return value && now - value.lastScrapedAt <= DAY_MS ? value : undefined
}
