import { Big } from 'big.js'
import { argentineDay, type Instant, isDay } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import { type Price, PRICE_SCALE } from '../../../shared/market/price.ts'
import { closeOf, readPrice } from '../import/formats.ts'
import { increment, type Series, sortRows } from '../import/read-file.ts'
import { type Range, touchesDay, union } from '../import/ranges.ts'
import type { ArchiveRow } from './archives.ts'
import { covered, type Hole, isIn, silenceBefore } from './holes.ts'
import type { Served } from './table.ts'
import { valueAt } from '../import/merge.ts'
import { readOwned, readPoints } from '../import/stored.ts'

/** The other leg of a cross: its close of a day, or null where nobody has it. */
export type Leg = (at: Instant) => QuotedPoint | null

/** What rows are read for. */
interface Wanted {
  pair: Pair
  served: Served
  holes: readonly Hole[]
  daily: readonly Range[]
  leg: Leg
  now: Instant
}

/**
 * The rows of an archive that fall into the holes, as the import takes them: closes in order of
 * time, one a day, with what they cover. Days that are not over are left out.
 */
export function readSeries(
  rows: readonly ArchiveRow[],
  { pair, served, holes, daily, leg, now }: Wanted,
): Series {
  const series: Series = { pair, rows: [], coverage: [], read: 0, skipped: new Map() }

  for (const row of rows) {
    if (!isDay(row.day)) {
      increment(series.skipped, 'not a date')
      continue
    }
    if (!isIn(holes, row.day)) continue
    series.read++
    const at = closeOf(pair, row.day)
    const read = served.cross ? crossed(row, pair, served.cross.by, leg(at)) : priced(row, pair)
    if (at > now) increment(series.skipped, 'in the future')
    else if ('wrong' in read) increment(series.skipped, read.wrong)
    else series.rows.push({ at, ...read })
  }
  sortRows(series)
  const days = series.rows.map(({ at }) => argentineDay(at))
  series.coverage =
    days.length === 0 ? [] : covered([...silenceBefore(days, holes), ...days], daily)
  return series
}

type Read = { buy: number; sell: number } | { wrong: string }

function priced({ buy, sell, unit = 1 }: ArchiveRow, pair: Pair): Read {
  const [one, other] = [readPrice(buy, pair, unit), readPrice(sell, pair, unit)]
  if ('wrong' in one) return one
  return 'wrong' in other ? other : { buy: one.price, sell: other.price }
}

/** A wholesale cross has one number, from the selling side; the blue keeps both. */
function crossed(row: ArchiveRow, pair: Pair, by: 'over' | 'times', leg: QuotedPoint | null): Read {
  if (leg === null) return { wrong: 'nobody has the dollar of that day' }
  const text = String(row.sell ?? '')
  if (!/^\d+(\.\d+)?(e-?\d{1,2})?$/i.test(text)) return { wrong: 'no value' }
  const rate = new Big(text)
  if (rate.eq(0)) return { wrong: 'zero' }

  const cross = (price: Price) => {
    const value = new Big(price).div(PRICE_SCALE)
    return (by === 'over' ? value.div(rate) : value.times(rate)).toString()
  }
  const sell = cross(leg.sell)
  return priced({ day: row.day, buy: by === 'over' ? sell : cross(leg.buy), sell }, pair)
}

/** The closes of a dollar, on the days that an import covers or that were recorded live. */
export async function readLeg(db: D1Database, pair: Pair): Promise<Leg> {
  const { coverage, liveFrom } = await readOwned(db, pair)
  const points = await readPoints(db, pair, Number.MAX_SAFE_INTEGER)
  const days = union(coverage.daily, coverage.timed)

  return (at) => {
    const isKnown = touchesDay(days, argentineDay(at)) || (liveFrom !== null && liveFrom <= at)
    return isKnown ? (valueAt(points, at) ?? null) : null
  }
}
