/** What an alert watches, as its row has it. `a` is a row of `alerts` and `w` its subscription. */
import type { Watch } from '../alerts/alert.ts'
import { type Pair, pairById } from '../market/catalog.ts'
import type { Price } from '../market/price.ts'
import type { alerts } from './schema.ts'

/**
 * The columns that make a `WatchRow`; `start` is the SQL of today's Argentine midnight. Only a
 * `change` reads its base: the last value before it.
 */
export function watchColumns(start: string): string {
  return `a.side, a.condition, a.threshold, a.hysteresis, a.other_pair as otherPair,
    a.other_side as otherSide, a.repeats, a.phase,
    case a.condition when 'change' then (select iif(a.side = 'buy', p.buy, p.sell) from points p
      where p.pair = w.pair and p.at < ${start} order by p.at desc limit 1) end as close`
}

export type WatchRow = Pick<
  typeof alerts.$inferSelect,
  'side' | 'condition' | 'threshold' | 'hysteresis' | 'otherPair' | 'otherSide' | 'phase'
> & { repeats: 0 | 1; close: Price | null }

export function toWatch(pair: Pair, row: WatchRow): Watch {
  const { side, condition, threshold, hysteresis, otherPair, otherSide } = row
  const other = otherPair === null ? undefined : pairById(otherPair)
  return {
    pair,
    side,
    condition,
    threshold,
    hysteresis,
    against: other ? { pair: other, side: otherSide! } : null,
    repeats: row.repeats === 1,
  }
}
