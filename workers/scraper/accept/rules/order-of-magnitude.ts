import type { Rule } from '../rule.ts'
import { isPlausible } from './implausible.ts'

/** The largest true step in memory is ×2.18 (13 Dec 2023); no true fall comes near 60 %. */
const TIMES = 3
const SHARE = 0.4

/**
 * A lost or doubled decimal mark, a dropped digit, a 0 or a 1: however often one source repeats
 * it, it stays a fault. The one way back by repetition is from a value that cannot be right itself
 * to one that can: a pair whose source changed its unit (CLP, 6 Sep 2024, per 100 to per 1).
 */
export const orderOfMagnitude: Rule = {
  name: 'order-of-magnitude',
  release: 'independent',
  suspects({ baseline, limits, buy, sell }) {
    if (!baseline) return false
    if (!isFar(buy / baseline.buy) && !isFar(sell / baseline.sell)) return false

    return isPlausible(baseline, limits) || !isPlausible({ buy, sell }, limits)
  },
}

function isFar(ratio: number): boolean {
  return ratio >= TIMES || ratio <= SHARE
}
