import * as z from 'zod/mini'

/** More sources than any pair has; memory never grows past it. */
export const MOST_SOURCES = 8

const name = z.string().check(z.maxLength(100))
const count = z.int().check(z.nonnegative())
const level = { buy: z.int().check(z.positive()), sell: z.int().check(z.positive()) }

const rival = z.object({ name, sell: level.sell, moves: count, seenAt: z.int() })

const sourceMemory = z.object({
  name,
  ...level,
  firstSeenAt: z.int(),
  /** When the guard last saw it change; null when it never did. */
  changedAt: z.nullable(z.int()),
  seenAt: z.int(),
  /** How far the source usually stands from the value in effect, in millionths of a logarithm. */
  gapBuy: z.int(),
  gapSell: z.int(),
  /** Cycles that the gaps were learned from. */
  samples: count,
  /** A source of other provenance, as it was when this one last changed. */
  rival: z.nullable(rival),
})

const holdMemory = z.object({
  source: name,
  provenance: name,
  sameDefinition: z.boolean(),
  reason: name,
  ...level,
  /** Cycles that it stood for, the first included. */
  cycles: count,
  heardAt: z.int(),
  /** Small movements around the held level: signs of life. */
  moves: count,
  /** Cycles since it was last heard. */
  silent: count,
})

const turnMemory = z.object({
  source: name,
  /** Quarter misses of the source in use since it was last good. */
  misses: count,
  /** The better source that may return, and its good cycles in a row. */
  returning: z.nullable(z.object({ source: name, good: count })),
  /** What the source in use said when it took over; null once a value of its own was published. */
  anchor: z.nullable(z.object(level)),
})

const guardMemory = z.object({
  v: z.literal(1),
  turn: z.nullable(turnMemory),
  hold: z.nullable(holdMemory),
  sources: z.array(sourceMemory).check(z.maxLength(MOST_SOURCES)),
  /** When the source in use was last compared with others. */
  comparedAt: z.int(),
})

export type SourceMemory = z.infer<typeof sourceMemory>
export type HoldMemory = z.infer<typeof holdMemory>
export type TurnMemory = z.infer<typeof turnMemory>

/** What the guard remembers of one pair from cycle to cycle. */
export type GuardMemory = z.infer<typeof guardMemory>

/** The memory that storage gave back; anything malformed or of another version starts fresh. */
export function recall(stored: unknown): GuardMemory {
  const { data } = guardMemory.safeParse(stored)
  return data ?? { v: 1, turn: null, hold: null, sources: [], comparedAt: 0 }
}
