import { type Price, PRICE_SCALE } from '../../../../shared/market/price.ts'
import { distance, stepOf } from '../observe/levels.ts'
import type { Limits } from './limits.ts'
import type { Rule } from './rule.ts'
import { isPlausible } from './implausible.ts'

/** The largest true step in memory is ×2.18 (13 Dec 2023); no true fall comes near 60 %. */
const TIMES = 3
const SHARE = 0.4

const ONE: Price = PRICE_SCALE

/**
 * A lost or doubled decimal mark, a dropped digit, a 0 or a 1: however often one source repeats
 * it, it stays a fault. One way back is left for a pair whose only source changed its unit (CLP,
 * 6 Sep 2024, per 100 to per 1): after 7 days without confirmation a value that cannot be right
 * itself is no baseline against one that can (decision 55).
 */
export const orderOfMagnitude: Rule = {
  name: 'order-of-magnitude',
  release: 'independent',
  suspects({ baseline, limits, stale, buy, sell }) {
    if (!baseline) return false
    const isFault = isFar(baseline.buy, buy, limits) || isFar(baseline.sell, sell, limits)
    if (!isFault) return false

    const isLapsed = stale && !isPlausible(baseline, limits)
    return !isLapsed || !isPlausible({ buy, sell }, limits)
  },
}

function isFar(from: Price, to: Price, { jump }: Limits): boolean {
  const ratio = to / from
  if (ratio >= TIMES || ratio <= SHARE) return true

  // A one in place of a value is no value, even for a pair that is worth little more (CLP).
  return to === ONE && Math.abs(distance(from, to)) > stepOf(jump)
}
