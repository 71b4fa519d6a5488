/** One source's reading with all that is known for and against it, in the terms of the value in effect. */
import { DAY_MS, type Instant } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import type { Current, MarketValue, Override } from './decision.ts'
import { clip, distance, isSameLevel, type Level, type Side, SIDES, widest } from './level.ts'
import {
  type GuardMemory,
  mapSides,
  MILLION,
  type RelativesMemory,
  type SourceMemory,
} from './memory.ts'
import { isPlausible, type Usual, usualOf } from './usual.ts'
import { FRESH_MS, KNOWN_CYCLES } from './weights.ts'

/** All that a reading is compared with. */
export interface Context {
  pair: Pair
  current: Current | null
  memory: GuardMemory
  market: readonly MarketValue[]
  override: Override | null
  now: Instant
}

type Sides = Record<Side, number>

/** Another origin's last reading. */
export interface Witness {
  name: string
  says: Level
  onlySell: boolean
  /** Its distance from the value in effect, null where it has none or says nothing of a side. */
  at: { buy: number | null; sell: number | null }
  /** How far it strays from the source that is evaluated. */
  noise: Sides
  /** How far it may be said to have moved: by its level, and by the steps of its readings. */
  moved: { buy: readonly number[]; sell: readonly number[] }
  /** Others moved away from it, or it has another definition: its silence says little. */
  isSlow: boolean
  /** For how many of its usual intervals it has said the same. */
  intervals: number
}

export interface Subject {
  pair: Pair
  usual: Usual
  source: SourceMemory
  /** The value in effect as this source would say it; null when there is none. */
  baseline: Level | null
  /** How far each side moved from there, and the one that moved by itself; sell if both did. */
  moved: Sides
  side: Side
  /** Milliseconds in which nobody confirmed the value in effect. */
  rested: number
  /** Minutes for which the reading, or the claim that it continues, has stood. */
  minutes: number
  witnesses: readonly Witness[]
  /** Where the relatives have the pair, from the value in effect, and how far they stray. */
  relatives: { at: number; noise: number } | null
  others: readonly MarketValue[]
  status: Override['status'] | null
}

/** Nobody knows better than this how far two sources stray. */
const LEAST_NOISE = 0.001

/** An unknown source of near definition may stand this far away. */
const NEAR_BASIS = 0.05

export function subjectOf(source: SourceMemory, context: Context): Subject {
  const { pair, current, memory, market, override, now } = context
  // A value that cannot be right, of another unit, is no baseline.
  const isBaseline = current !== null && isPlausible(current, usualOf(pair))
  const baseline = isBaseline ? nearest(source, current, context) : null
  const moved = mapSides((side) => (baseline ? movedFrom(baseline, source, side, context) : 0))
  const bySell = Math.abs(moved.sell)
  const isBuy =
    !source.onlySell && Math.abs(moved.buy) > bySell && Math.abs(moved.buy - moved.sell) > bySell
  const side = isBuy ? 'buy' : 'sell'
  const off = current && offRelatives(current.sell, memory.relatives, market, now)

  return {
    pair,
    usual: usualOf(pair),
    source,
    baseline,
    moved,
    side,
    rested: current ? Math.max(0, now - current.lastScrapedAt) : 0,
    minutes: source.claim.minutes,
    witnesses: witnessesOf(source, moved, context),
    relatives: off === null ? null : { at: -off, noise: memory.relatives.noise / MILLION },
    others: market.filter((value) => pairKey(value.pair) !== pairKey(pair)),
    status: override && isNear(override, source, usualOf(pair)) ? override.status : null,
  }
}

/** The value in effect as a source would say it, where its offset is known. */
export function inTermsOf(source: SourceMemory, level: Level, context: Context): Level {
  const from = definer(context)
  if (!from || from.name === source.name || !isKnown(source, context)) return level
  return mapSides(
    (side) =>
      level[side] * Math.exp((source.habits.offset[side] - from.habits.offset[side]) / MILLION),
  )
}

/** The value in effect as it stands where a source says just that, whatever was learned of it. */
function nearest(source: SourceMemory, current: Level, context: Context): Level {
  const usual = inTermsOf(source, current, context)
  const level = widest(current, source) < widest(usual, source) ? current : usual
  const isNobodys = source.onlySell && source.name !== definer(context)?.name
  return isNobodys ? { ...level, buy: source.buy } : level
}

/** An unknown offset may account for a distance within its bounds. */
function movedFrom(baseline: Level, source: SourceMemory, side: Side, context: Context): number {
  const moved = distance(baseline[side], source[side])
  if (isKnown(source, context)) return moved
  return moved - clip(moved, basisOf(source, side, context.pair))
}

/** How far a source may stand from another one for good. */
export function basisOf({ sameDefinition }: SourceMemory, side: Side, pair: Pair): number {
  const { basis, buyBasis } = usualOf(pair)
  const own = side === 'buy' ? Math.max(basis, buyBasis) : basis
  return sameDefinition ? own : Math.max(own, NEAR_BASIS)
}

/** Whether it is known where a source stands beside the one that defines the value in effect. */
export function isKnown(source: SourceMemory, { memory, current }: Context): boolean {
  const by = memory.definedBy ?? current?.source
  return source.name === by || source.habits.samples >= KNOWN_CYCLES
}

function definer({ memory, current }: Context): SourceMemory | undefined {
  const by = memory.definedBy ?? current?.source
  return memory.sources.find(({ name }) => name === by)
}

/** One voice of each other origin: the source that changed last. */
function witnessesOf(source: SourceMemory, moved: Sides, context: Context): Witness[] {
  const voices = new Map<string, SourceMemory>()
  for (const other of context.memory.sources) {
    const { provenance, seenAt, copied } = other
    if (provenance === source.provenance || copied) continue
    if (Math.abs(context.now - seenAt) > FRESH_MS) continue
    const known = voices.get(provenance)
    if (!known || isLater(other, known)) voices.set(provenance, other)
  }
  return [...voices.values()].map((other) => witness(other, source, moved, context))
}

function isLater(one: SourceMemory, other: SourceMemory): boolean {
  return one.since > other.since || (one.since === other.since && one.name < other.name)
}

function witness(
  other: SourceMemory,
  source: SourceMemory,
  moved: Sides,
  context: Context,
): Witness {
  const { current } = context
  const baseline = current && inTermsOf(other, current, context)
  const { name, buy, sell, sameDefinition, onlySell, leftBehind } = other
  // Two that print the very same quote stand together now, wherever they stood before.
  const isSame = isSameLevel(source, other)
  const areKnown = [source, other].every((one) => isKnown(one, context))
  const isMute = (side: Side) => side === 'buy' && (onlySell || source.onlySell)
  return {
    name,
    says: { buy, sell },
    onlySell,
    at: mapSides((side) => {
      if (!baseline || isMute(side)) return null
      return isSame ? moved[side] : distance(baseline[side], other[side])
    }),
    noise: mapSides((side) => straying(source, other, side, context)),
    moved: mapSides((side) => [
      ...[baseline ?? other, other.before, other.cameFrom].map((from) =>
        distance(from[side], other[side]),
      ),
      // What both say is compared as it is while nobody knows how the two stand to one another.
      ...(areKnown && !isSame ? [] : [moved[side] + distance(source[side], other[side])]),
    ]),
    isSlow: leftBehind || !sameDefinition || sell < buy,
    intervals: other.stood / Math.max(1, other.habits.interval),
  }
}

/** How far two sources usually stray from one another. */
export function straying(
  one: SourceMemory,
  other: SourceMemory,
  side: Side,
  context: Context,
): number {
  const of = (source: SourceMemory) => noiseOf(source, side, context)
  return Math.hypot(LEAST_NOISE, of(one), of(other))
}

function noiseOf(source: SourceMemory, side: Side, context: Context): number {
  const { noise } = source.habits
  const unknown = isKnown(source, context) ? 0 : basisOf(source, side, context.pair)
  // The mean straying of a normal distribution is four fifths of its scale.
  return (1.25 * noise[side]) / MILLION + unknown
}

/** Within a few usual steps: the value that an operator decided on. */
function isNear(one: Level, other: Level, { step }: Usual): boolean {
  return SIDES.every((side) => Math.abs(distance(one[side], other[side])) <= 6 * step)
}

/** How far a sell stands from where its relatives usually have it: the median; null when none is known. */
export function offRelatives(
  sell: number,
  { ratios }: RelativesMemory,
  market: readonly MarketValue[],
  now: Instant,
): number | null {
  const offs = ratios.flatMap(({ pair, ratio, samples }) => {
    const value = valueOf(pair, market, now)
    return value && samples >= KNOWN_CYCLES ? [distance(value.sell, sell) - ratio / MILLION] : []
  })
  if (offs.length === 0) return null

  const sorted = offs.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}

/** A value that nobody confirmed for a day says nothing of where its market is. */
export function valueOf(key: string, market: readonly MarketValue[], now: Instant) {
  const value = market.find(({ pair }) => pairKey(pair) === key)
  return value && now - value.lastScrapedAt <= DAY_MS ? value : undefined
}
