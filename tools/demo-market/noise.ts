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
    const from = hashed(`${seed}|${name}|${period}|${step}`)
    const to = hashed(`${seed}|${name}|${period}|${step + 1}`)
    return from + (to - from) * share * share * (3 - 2 * share)
  }
}

/** FNV-1a with a final mix, scaled to −1…1. */
function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x7fffffff - 1
}
