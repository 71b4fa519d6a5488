import { hashed } from '../../support/random.ts'

/**
 * Seeded noise without a state: the same seed, name and instant give the same number. So a
 * restarted market continues where it was.
 */
export type Noise = (name: string, instant: number, period: number) => number

/**
 * Numbers from −1 to 1 that move smoothly from one value to the next in each `period` of
 * milliseconds.
 */
export function createNoise(seed: number): Noise {
  return (name, instant, period) => {
    const step = Math.floor(instant / period)
    const share = instant / period - step
    const from = scaled(`${seed}|${name}|${period}|${step}`)
    const to = scaled(`${seed}|${name}|${period}|${step + 1}`)
    return from + (to - from) * share * share * (3 - 2 * share)
  }
}

/** A hash with a final mix, scaled to −1…1. */
function scaled(text: string): number {
  let hash = hashed(text)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x7fffffff - 1
}
