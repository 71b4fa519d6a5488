/** What the guard remembers of a pair from cycle to cycle: JSON of whole numbers, bounded. */
import * as z from 'zod/mini'

/** More sources than any pair has: this bounds the memory. */
export const MOST_SOURCES = 8

/** Shares of the logarithm are stored in millionths, because memory holds whole numbers only. */
export const MILLION = 1_000_000

/** Learned values weigh at most as much as a day of calm cycles; they are used after an hour. */
export const DAY_CYCLES = 288
export const KNOWN_CYCLES = 12

const name = z.string().check(z.maxLength(100))
const count = z.int().check(z.nonnegative())
const level = { buy: z.int().check(z.positive()), sell: z.int().check(z.positive()) }
const share = z.int().check(z.gte(-100 * MILLION), z.lte(100 * MILLION))
const sides = { buy: share, sell: share }

/** A source's usual behaviour, learned in calm cycles, in millionths. */
const habits = z.object({
  /** Its usual distance from the value in effect. Only the difference of two offsets matters. */
  offset: z.object(sides),
  /** Its usual deviation from that offset on an ordinary day. */
  noise: z.object(sides),
  /** Calm cycles that these were learned from. */
  samples: count,
  /** The logarithm of sell over buy, and its usual deviation. */
  spread: share,
  spreadNoise: share,
  spreads: count,
  /** Minutes of requests between two of its changes: an hour until it is known. */
  interval: count,
})

const source = z.object({
  name,
  provenance: name,
  sameDefinition: z.boolean(),
  onlySell: z.boolean(),
  /** Its last reading, when it was last read, and since when it has not changed. */
  ...level,
  seenAt: z.int(),
  since: z.int(),
  /** Minutes of requests since it changed. */
  stood: count,
  /** The reading before this one, and whether it was doubted in the end. */
  before: z.object({ ...level, since: z.int(), doubted: z.boolean() }),
  /** Whether its reading was another pair's value when it first appeared. */
  copied: z.boolean(),
  /** Its distance from the value in effect, and the minutes of requests at about that distance. */
  away: z.object({ ...sides, minutes: count }),
  /** Its reading was not believed. */
  doubted: z.boolean(),
  /** Other sources moved away from it, and it has not changed since. */
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
  /** The source whose readings are published, and its first active reading (null once changed). */
  active: z.nullable(z.object({ name, anchor: z.nullable(z.object(level)) })),
  /** The source whose definition the value in effect has: the one that gave it. */
  definedBy: z.nullable(name),
  /** The source whose reading is held back, and the strongest evidence against it. */
  held: z.nullable(z.object({ name, reason: name })),
  relatives,
  /** When a value was last held or a notable change published. Nothing is learned soon after. */
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

/** By pair; a memory that is malformed or of another version begins anew. */
const memories = z.record(z.string(), z.catch(memory, NEW_MEMORY))

/** Guard memory by pair, of a stored text. */
export function parseGuard(text: string | null): Record<string, GuardMemory> {
  try {
    return memories.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

/** Shares as whole millionths; JSON knows no negative zero. */
export function millionths(value: number): number {
  return Math.round(value * MILLION) + 0
}
