import type { RandomBytes } from '../../shared/crypto/random.ts'

/** Random bytes for keys and secrets, independent of any seed. */
export const randomBytes: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length))

/** Seeded random choices: the same seed makes the same ones, though not at the same instants. */
export interface Random {
  /** At least 0, below 1. */
  next(): number
  happens(probability: number): boolean
  between(low: number, high: number): number
  pick<Value>(from: readonly Value[]): Value
  /** One of the names, each as likely as its weight. */
  weighed<Name extends string>(weights: Readonly<Record<Name, number>>): Name
  /** A separate stream, so that the speed of one part does not change the choices of another. */
  fork(name: string): Random
}

export function createRandom(seed: number | string): Random {
  let state = hashed(String(seed))
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  return {
    next,
    happens: (probability) => next() < probability,
    between: (low, high) => low + (high - low) * next(),
    pick: (from) => from[Math.floor(next() * from.length)]!,
    weighed: (weights) => choose(weights, next()),
    fork: (name) => createRandom(`${seed}|${name}`),
  }
}

function choose<Name extends string>(weights: Readonly<Record<Name, number>>, at: number): Name {
  const entries = Object.entries(weights) as [Name, number][]
  let left = at * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of entries) {
    left -= weight
    if (left < 0) return name
  }
  return entries.at(-1)![0]
}

/** FNV-1a, 32 bits; as `>>> 0` not negative. */
export function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193)
  return hash
}
