import type { Instant } from '../../shared/argentine-time.ts'
import type { Pair } from '../../shared/market/catalog.ts'

/** From here on dolarapi and argentinadatos quote the Chilean peso per 1; before, per 100. */
const PER_ONE_FROM = Date.parse('2024-09-06T21:35:25Z')

/** How many units of the currency a price of those files is for. */
export function clpUnit(pair: Pair, at: Instant): number {
  return pair.currency === 'CLP' && at < PER_ONE_FROM ? 100 : 1
}
