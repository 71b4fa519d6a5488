/** Learns the usual behaviour of sources and relatives from readings. */
import { HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import type { Candidate } from '../pairs/derivation.ts'
import { basisOf, type Context, offRelatives, relativeOf } from './facts.ts'
import { clip, distance, isSameLevel, type Level, levelOf, mapSides, SIDES } from './level.ts'
import {
  DAY_CYCLES,
  type GuardMemory,
  type Habits,
  KNOWN_CYCLES,
  MILLION,
  millionths,
  type RelativesMemory,
  type SourceMemory,
} from './memory.ts'
import { usualOf } from './usual.ts'

/** A step of this size may be a fault, so for an hour after it nothing is learned. */
export const NOTABLE = 0.02
export const RESTLESS_MS = HOUR_MS
/** A larger distance from the learned value counts only as this distance. */
const CLIP = 0.01

/** The memory of a source after a reading. */
export function recordReading(
  { source: name, provenance, sameDefinition, onlySell = false, ...quote }: Candidate,
  before: readonly SourceMemory[],
  now: Instant,
): SourceMemory {
  const reading = { name, provenance, sameDefinition, onlySell, ...levelOf(quote) }
  const known = before.find((one) => one.name === name) ?? newSource(reading, now)
  const minutes = minutesOf(now - known.seenAt)
  const stood = known.stood + minutes
  const away = { ...known.away, minutes: known.away.minutes + minutes }
  const still = { ...known, ...reading, seenAt: now, stood, away }
  if (isSameLevel(known, reading)) return still

  return {
    ...still,
    since: now,
    stood: 0,
    before: { ...levelOf(known), since: known.since, doubted: known.doubted },
    copied: false,
    leftBehind: false,
    habits: { ...known.habits, interval: intervalAfter(known.habits.interval, stood) },
  }
}

type Read = Pick<SourceMemory, 'name' | 'provenance' | 'sameDefinition' | 'onlySell' | keyof Level>

/** The memory of a source that is read for the first time. */
function newSource(reading: Read, now: Instant): SourceMemory {
  const none = { buy: 0, sell: 0 }
  const unknown = { offset: none, noise: none, samples: 0, spread: 0, spreadNoise: 0, spreads: 0 }
  return {
    ...reading,
    seenAt: now,
    since: now,
    stood: 0,
    before: { ...levelOf(reading), since: now, doubted: false },
    copied: false,
    away: { ...none, minutes: 0 },
    doubted: false,
    leftBehind: false,
    habits: { ...unknown, interval: 60 },
  }
}

/** Minutes to count for a pause. 0 for a night or a holiday, or if the clock went backwards. */
function minutesOf(pause: number): number {
  return pause > 0 && pause <= HOUR_MS ? Math.round(pause / MINUTE_MS) : 0
}

/** The usual interval after a new interval, which changes it by a tenth, whatever its length. */
function intervalAfter(interval: number, stood: number): number {
  return Math.round(interval * (stood > interval ? 1.1 : 0.9) + 0.5)
}

/** Learns from a cycle, within bounds. Soon after a hold or a notable step, learns only spreads. */
export function learn(
  memory: GuardMemory,
  context: Context,
  /** Whether nothing is held and nothing is published. */
  isQuiet: boolean,
): GuardMemory {
  const { current, pair, now } = context
  const isCalm = isQuiet && current !== null && Math.abs(now - memory.restlessAt) >= RESTLESS_MS
  const by = memory.sources.find(({ name }) => name === memory.definedBy)
  const sources = memory.sources.map((source) => {
    if (source.seenAt !== now || source.doubted) return source
    const habits = source.onlySell ? source.habits : learnSpread(source.habits, source)
    const learned = { ...source, habits }
    if (!isCalm || source.leftBehind || source === by) return learned
    return { ...learned, habits: learnOffset(learned, by, current, pair) }
  })
  if (!isCalm) return { ...memory, sources }
  const relatives = learnRelatives(memory.relatives, current.sell, context)
  return { ...memory, sources, relatives }
}

/** Learns the usual offset from the value in effect, if a definition can explain the distance. */
function learnOffset(
  source: SourceMemory,
  by: SourceMemory | undefined,
  current: Level,
  pair: Context['pair'],
): Habits {
  const { habits } = source
  const base = by?.habits.offset ?? { buy: 0, sell: 0 }
  const at = mapSides((side) => distance(current[side], source[side]))
  if (SIDES.some((side) => Math.abs(at[side]) > basisOf(source, side, pair) + CLIP)) return habits

  const samples = Math.min(habits.samples + 1, DAY_CYCLES)
  // Two sources that print the same quote have the same definition.
  if (isSameLevel(current, source) && !source.onlySell) return { ...habits, samples, offset: base }
  const learned = mapSides((side) => {
    const off = at[side] + (base[side] - habits.offset[side]) / MILLION
    return learnMean(habits.offset[side], habits.noise[side], off, samples)
  })
  const offset = mapSides((side) => learned[side].mean)
  return { ...habits, samples, offset, noise: mapSides((side) => learned[side].noise) }
}

function learnSpread(habits: Habits, { buy, sell }: Level): Habits {
  const spreads = Math.min(habits.spreads + 1, DAY_CYCLES)
  const off = distance(buy, sell) - habits.spread / MILLION
  const { mean, noise } = learnMean(habits.spread, habits.spreadNoise, off, spreads)
  return { ...habits, spreads, spread: mean, spreadNoise: noise }
}

/** The mean and the mean deviation, in millionths, after a reading at the distance `off`. */
function learnMean(mean: number, noise: number, off: number, samples: number) {
  const isNew = samples <= KNOWN_CYCLES
  const deviation = isNew ? 0 : Math.abs(clip(off, 2 * CLIP))
  return {
    mean: mean + millionths((isNew ? off : clip(off, CLIP)) / samples),
    noise: noise + Math.round((millionths(deviation) - noise) / samples),
  }
}

/**
 * In a calm cycle, learns the ratio to each relative and the noise of their prediction. Dollars
 * under arbitrage stay within a few percent of each other in a day, and so do the official rates.
 * Other currencies follow the dollar times a cross rate, which moves slowly.
 */
function learnRelatives(known: RelativesMemory, sell: number, context: Context): RelativesMemory {
  const { pair, market, now } = context
  const ratios = usualOf(pair).relatives.flatMap((key) => {
    if (key === pairKey(pair)) return []
    const value = relativeOf(key, market, now)
    const before = known.ratios.find((one) => one.pair === key)
    if (!value) return before ? [before] : []

    const { ratio, samples } = before ?? { ratio: 0, samples: 0 }
    const weight = Math.min(samples + 1, DAY_CYCLES)
    const off = distance(value.sell, sell) - ratio / MILLION
    return [{ pair: key, ratio: ratio + millionths(off / weight), samples: weight }]
  })
  const off = offRelatives(sell, known, context)
  const deviation = off === null ? known.noise : clip(millionths(Math.abs(off)), 2 * CLIP * MILLION)
  return { ratios, noise: Math.round(known.noise + (deviation - known.noise) / DAY_CYCLES) }
}
