/** What a cycle teaches: a little at a time, never beyond a bound, and nothing near a hold. */
import { type Level, clip, distance, isSameLevel, SIDES } from '../level.ts'
import {
  type GuardMemory,
  type Habits,
  mapSides,
  MILLION,
  millionths,
  type SourceMemory,
} from '../memory.ts'
import { basisOf, type Context, isKnown } from '../subject.ts'
import { CLIP, DAY_CYCLES, KNOWN_CYCLES, RESTLESS_MS } from '../weights.ts'
import { learnRelatives } from './relatives.ts'

/** `believed` names the sources that were read in this cycle and believed. */
export function learn(
  memory: GuardMemory,
  context: Context,
  cycle: { believed: ReadonlySet<string>; read: ReadonlySet<string>; isCalm: boolean },
): GuardMemory {
  const { current, pair, market, now } = context
  const { believed, read } = cycle
  const isCalm =
    cycle.isCalm && current !== null && Math.abs(now - memory.restlessAt) >= RESTLESS_MS
  const by = memory.sources.find(({ name }) => name === memory.definedBy)
  const sources = memory.sources.map((source) => {
    if (!read.has(source.name)) return source
    const isGood = believed.has(source.name)
    let { habits } = source
    if (isGood && !source.onlySell) habits = learnSpread(habits, source)
    if (
      isCalm &&
      !source.leftBehind &&
      (isGood || !isKnown(source, context)) &&
      source.name !== memory.definedBy
    ) {
      habits = learnOffset({ ...source, habits }, by, current, context)
    }
    return habits === source.habits ? source : { ...source, habits }
  })
  if (!isCalm) return { ...memory, sources }
  const relatives = learnRelatives(memory.relatives, pair, current.sell, market, now)
  return { ...memory, sources, relatives }
}

/** Where a source stands beside the value in effect; nothing is learned beyond what can be for good. */
function learnOffset(
  source: SourceMemory,
  by: SourceMemory | undefined,
  current: Level,
  { pair }: Context,
): Habits {
  const { habits } = source
  const base = by?.habits.offset ?? { buy: 0, sell: 0 }
  const at = mapSides((side) => distance(current[side], source[side]))
  if (SIDES.some((side) => Math.abs(at[side]) > basisOf(source, side, pair) + CLIP)) return habits

  const samples = Math.min(habits.samples + 1, DAY_CYCLES)
  // Two that print the very same quote have one definition.
  if (isSameLevel(current, source) && !source.onlySell) return { ...habits, samples, offset: base }
  const isNew = habits.samples < KNOWN_CYCLES
  const off = mapSides((side) => at[side] + (base[side] - habits.offset[side]) / MILLION)
  return {
    ...habits,
    samples,
    offset: mapSides(
      (side) =>
        habits.offset[side] + millionths((isNew ? off[side] : clip(off[side], CLIP)) / samples),
    ),
    noise: mapSides((side) => {
      const strayed = millionths(isNew ? 0 : Math.abs(clip(off[side], 2 * CLIP)))
      return habits.noise[side] + Math.round((strayed - habits.noise[side]) / samples)
    }),
  }
}

export function learnSpread(habits: Habits, reading: Level): Habits {
  const spreads = Math.min(habits.spreads + 1, DAY_CYCLES)
  const now = distance(reading.buy, reading.sell)
  if (habits.spreads === 0) return { ...habits, spreads, spread: millionths(now) }

  const off = clip(now - habits.spread / MILLION, CLIP)
  const strayed = millionths(Math.abs(off))
  return {
    ...habits,
    spreads,
    spread: habits.spread + millionths(off / spreads),
    spreadNoise: habits.spreadNoise + Math.round((strayed - habits.spreadNoise) / spreads),
  }
}
