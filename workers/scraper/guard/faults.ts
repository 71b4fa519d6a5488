import { heavy } from './level.ts'
import { ANYTHING, MILD, MILD_SCALE } from './weights.ts'

/** Density of wrong readings: mild ones at a few per cent, and any at all, some by powers of ten. */
export function faulty(off: number): number {
  const size = Math.abs(off)
  const mild = (size / MILD_SCALE ** 2 / 2) * Math.exp(-size / MILD_SCALE)
  return MILD * mild + (1 - MILD) * anything(size)
}

function anything(size: number): number {
  return 1 / ANYTHING + powersOfTen(size)
}

/** As many again are misread by ten, a hundred or a thousand. */
function powersOfTen(size: number): number {
  const off = size - Math.LN10 * Math.round(size / Math.LN10)
  return size < Math.LN10 / 2 ? 0 : heavy(off, 1 / ANYTHING) / 2 / 3
}
