/**
 * CER and UVA, each from its own series or from the other index: UVA(t) = 14.05 × CER(last business
 * day before t) / CER(2016-03-31). If holidays are not business days, the formula was exact to the
 * cent on every day that was checked from 2018 to 2024.
 */
import { Big } from 'big.js'
import { addDays, argentineDay, type Day, daysBetween } from '../../../../shared/argentine-time.ts'
import { uvaDayBefore } from '../../../../shared/market/holidays.ts'
import { bothSides, type Derivation } from '../derivation.ts'
import type { Reading } from '../../sources/source.ts'
import { inputOfDay } from './crosses.ts'

const UVA_BASE = new Big('14.05')
const CER_BASE = new Big('5.5636')

/** The value of today, never of another day, because hosts that repeat the BCRA may be late. */
export function valueOfToday(name: string): Derivation {
  return (readings, { now }) => {
    const today = argentineDay(now)
    const value = inputOfDay(readings, name, today)
    return value && { ...bothSides(value), stamp: today }
  }
}

/** Today's UVA, from the CER of the business day before. */
export const uvaFromCer: Derivation = (readings, { now }) => {
  const cer = inputOfDay(readings, 'CER', uvaDayBefore(argentineDay(now)))
  return cer && bothSides(cer.times(UVA_BASE).div(CER_BASE))
}

/**
 * Today's CER. On a business day it follows from the UVA of the next day, which is published ahead.
 * On other days it is interpolated between the business days before and after, because CER grows
 * every calendar day. A UVA series that ends today gives only the CER of the business day before.
 */
export const cerFromUva: Derivation = (readings, { now }) => {
  const today = argentineDay(now)
  const before = uvaDayBefore(addDays(today, 1))
  const after = uvaDayAfter(before)
  const [low, high] = [cerOf(readings, before), cerOf(readings, after)]
  if (before === today && low) return bothSides(low)
  if (low && high) {
    const share = new Big(daysBetween(before, today)).div(daysBetween(before, after))
    return bothSides(low.plus(high.minus(low).times(share)))
  }
  const uva = inputOfDay(readings, 'UVA', today)
  return uva && bothSides(uva.times(CER_BASE).div(UVA_BASE))
}

/** The CER of a business day, from the UVA of the day after. */
function cerOf(readings: readonly Reading[], businessDay: Day): Big | null {
  const uva = inputOfDay(readings, 'UVA', addDays(businessDay, 1))
  return uva && uva.times(CER_BASE).div(UVA_BASE)
}

function uvaDayAfter(day: Day): Day {
  let after = addDays(day, 1)
  while (uvaDayBefore(addDays(after, 1)) !== after) after = addDays(after, 1)

  return after
}
