import * as z from 'zod/mini'

/** More sources than any pair has; memory never grows past it. */
export const MOST_SOURCES = 8

const name = z.string().check(z.maxLength(100))
const count = z.int().check(z.nonnegative())
const level = { buy: z.int().check(z.positive()), sell: z.int().check(z.positive()) }

const rival = z.object({ name, sell: level.sell, moves: count, seenAt: z.int() })

/** A share of the logarithm in millionths: memory holds whole numbers only. */
export const MILLION = 1_000_000

/** What is usual for a source of this pair, learned in calm cycles (observe/). */
const usual = z.object({
  /** How far it usually stands from the value in effect. */
  basisBuy: z.int(),
  basisSell: z.int(),
  /** How far it strays from that on an ordinary day. */
  noise: count,
  /** Calm cycles that these were learned from. */
  samples: count,
  /** Between which bounds its spread usually lies, and how many spreads say so. */
  spreads: count,
  spreadLow: z.int(),
  spreadHigh: z.int(),
  /** Cycles in which it is heard between two of its changes, in tenths; 0 when not known. */
  interval: count,
})

const sourceMemory = z.object({
  name,
  provenance: name,
  sameDefinition: z.boolean(),
  /** Its last word, and when it was last heard. */
  ...level,
  seenAt: z.int(),
  firstSeenAt: z.int(),
  /** When the guard last saw it change; null when it never did. */
  changedAt: z.nullable(z.int()),
  /** Cycles in which it was heard since then. */
  stood: count,
  usual,
  /** What it said when it had last stood for half an hour: where its latest move began. */
  rested: z.object(level),
  /** What it said before its latest change. */
  previous: z.object(level),
  /** Others moved away from it, and it has not changed since (freeze.ts). */
  leftBehind: z.boolean(),
  /** A source of other provenance, as it was when this one last changed. */
  rival: z.nullable(rival),
})

/** How a pair usually stands to a related one. */
const relativeMemory = z.object({ pair: name, ratio: z.int(), samples: count })

/** What had been learned before a notable change was published: it comes back with an undoing. */
const checkpoint = z.object({
  at: z.int(),
  definedBy: z.nullable(name),
  ...level,
  usual: z.array(z.object({ name, usual })).check(z.maxLength(MOST_SOURCES)),
  relatives: z.array(relativeMemory).check(z.maxLength(MOST_SOURCES)),
})

const holdMemory = z.object({
  source: name,
  provenance: name,
  sameDefinition: z.boolean(),
  reason: name,
  ...level,
  /** Cycles that it stood for, the first included. */
  cycles: count,
  since: z.int(),
  heardAt: z.int(),
  /** Cycles since it was last heard. */
  silent: count,
  /** It began as a step of less than twice the usual one. */
  small: z.boolean(),
})

const activeSourceMemory = z.object({
  source: name,
  /** Quarter misses of the source in use since it was last good. */
  misses: count,
  /** The better source that may return, and its good cycles in a row. */
  returning: z.nullable(z.object({ source: name, good: count })),
  /** What the source in use said when it took over; null once a value of its own was published. */
  anchor: z.nullable(z.object(level)),
})

const guardMemory = z.object({
  v: z.literal(3),
  activeSource: z.nullable(activeSourceMemory),
  hold: z.nullable(holdMemory),
  sources: z.array(sourceMemory).check(z.maxLength(MOST_SOURCES)),
  relatives: z.array(relativeMemory).check(z.maxLength(MOST_SOURCES)),
  /** When a value was last held, or a notable change published: nothing is learned near it. */
  restlessAt: z.int(),
  /** The source whose definition the value in effect has: the one that said it. */
  definedBy: z.nullable(name),
  /** The value in effect after the last decision: another one now is an operator's correction. */
  inEffect: z.nullable(z.object(level)),
  checkpoint: z.nullable(checkpoint),
})

export type Usual = z.infer<typeof usual>
export type RelativeMemory = z.infer<typeof relativeMemory>

export type SourceMemory = z.infer<typeof sourceMemory>
export type HoldMemory = z.infer<typeof holdMemory>
export type ActiveSourceMemory = z.infer<typeof activeSourceMemory>

/** What the guard remembers of one pair from cycle to cycle. */
export type GuardMemory = z.infer<typeof guardMemory>

/** What the sources of a pair last said, by its memory. */
export function lastWords(stored: unknown): { buy: number; sell: number }[] {
  return recall(stored).sources.map(({ buy, sell }) => ({ buy, sell }))
}

/** The memory that storage gave back; anything malformed or of another version starts fresh. */
export function recall(stored: unknown): GuardMemory {
  const { data } = guardMemory.safeParse(stored)
  return (
    data ?? {
      v: 3,
      activeSource: null,
      hold: null,
      sources: [],
      relatives: [],
      restlessAt: 0,
      definedBy: null,
      inEffect: null,
      checkpoint: null,
    }
  )
}
