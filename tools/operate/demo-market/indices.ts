import { type Day, daysBetween } from '../../../shared/argentine-time.ts'
import { uvaDayBefore } from '../../../shared/market/holidays.ts'

/** Where both indices start, and the pace that joins it with the CER of 15 October 2026. */
const BASE_DAY = '2016-03-31'
const BASE_CER = 5.5636
const BASE_UVA = 14.05
const DAILY_GROWTH = (854.45861540882 / BASE_CER) ** (1 / daysBetween(BASE_DAY, '2026-10-15'))

export function cerOn(day: Day): number {
  return BASE_CER * DAILY_GROWTH ** daysBetween(BASE_DAY, day)
}

/** A document has all days since 2016, and is asked for in every cycle. */
const uvas = new Map<Day, number>()

/** UVA follows the CER of the last bank day before, so that it stands still over weekends. */
export function uvaOn(day: Day): number {
  const known = uvas.get(day)
  if (known !== undefined) return known

  const uva = (BASE_UVA * cerOn(uvaDayBefore(day))) / BASE_CER
  uvas.set(day, uva)
  return uva
}
