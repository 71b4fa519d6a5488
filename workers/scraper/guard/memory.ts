/** The guard's memory of a pair between two cycles: bounded JSON of whole numbers. */
import * as z from 'zod/mini'

/** More than the number of sources of any pair. Bounds the memory. */
export const MOST_SOURCES = 8

/** Logarithms are stored in millionths, because the memory has only whole numbers. */
export const MILLION = 1_000_000

/** Learned values average at most a day of calm cycles, and are used after an hour of them. */
export const DAY_CYCLES = 288
export const KNOWN_CYCLES = 12

const name = z.string().check(z.maxLength(100))
const count = z.int().check(z.nonnegative())
const level = { buy: z.int().check(z.positive()), sell: z.int().check(z.positive()) }
const share = z.int().check(z.gte(-100 * MILLION), z.lte(100 * MILLION))
const sides = { buy: share, sell: share }

/** A source's usual behaviour, learned in calm cycles, in millionths. */
const habits = z.object({
  /** The usual distance from the value in effect. Only the difference of two offsets matters. */
  offset: z.object(sides),
  /** The usual deviation from this offset on an ordinary day. */
  noise: z.object(sides),
  /** The number of calm cycles from which offset and noise were learned. */
  samples: count,
  /** The logarithm of sell over buy, and its usual deviation. */
  spread: share,
  spreadNoise: share,
  spreads: count,
  /** The usual minutes of requests between two changes. Begins with an hour. */
  interval: count,
})

const source = z.object({
  name,
  provenance: name,
  sameDefinition: z.boolean(),
  onlySell: z.boolean(),
  /** The last reading, when the source was last read, and since when it has not changed. */
  ...level,
  seenAt: z.int(),
  since: z.int(),
  /** Minutes of requests since the last change. */
  stood: count,
  /** The previous reading, and whether it was doubted in its last cycle. */
  before: z.object({ ...level, since: z.int(), doubted: z.boolean() }),
  /** Whether the reading was another pair's value when it first appeared. */
  copied: z.boolean(),
  /** The distance from the value in effect, and the minutes of requests at about this distance. */
  away: z.object({ ...sides, minutes: count }),
  /** Whether the reading was not believed. */
  doubted: z.boolean(),
  /** Whether another source moved away and this source has not changed since. */
  leftBehind: z.boolean(),
  habits,
})

/** The usual ratio of a pair to a related pair. */
const relative = z.object({ pair: name, ratio: share, samples: count })
const relatives = z.object({
  ratios: z.array(relative).check(z.maxLength(MOST_SOURCES)),
  noise: count,
})

const memory = z.object({
  v: z.literal(6),
  sources: z.array(source).check(z.maxLength(MOST_SOURCES)),
  /** The source whose readings are published. Its anchor is null after it has published a value. */
  active: z.nullable(z.object({ name, anchor: z.nullable(z.object(level)) })),
  /** The source that gave the value in effect, which has this source's definition. */
  definedBy: z.nullable(name),
  /** The source whose reading is held back, and the strongest evidence against it. */
  held: z.nullable(z.object({ name, reason: name })),
  relatives,
  /** When a value was last held or a notable change published. Soon after, nothing is learned. */
  restlessAt: z.int(),
  /** The value in effect after the last decision. If it differs now, an operator corrected it. */
  inEffect: z.nullable(z.object(level)),
})

export type Habits = z.infer<typeof habits>
export type SourceMemory = z.infer<typeof source>
export type RelativesMemory = z.infer<typeof relatives>
export type GuardMemory = z.infer<typeof memory>

export const NEW_MEMORY: GuardMemory = {
  v: 6,
  sources: [],
  active: null,
  definedBy: null,
  held: null,
  relatives: { ratios: [], noise: 0 },
  restlessAt: 0,
  inEffect: null,
}

/** By pair. A memory that is malformed or of another version is replaced by an empty one. */
const memories = z.record(z.string(), z.catch(memory, NEW_MEMORY))

/** Parses the stored memory of all pairs. */
export function parseGuard(text: string | null): Record<string, GuardMemory> {
  try {
    return memories.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

/** A share as whole millionths. `+ 0` removes a negative zero, which JSON does not keep. */
export function millionths(value: number): number {
  return Math.round(value * MILLION) + 0
}
