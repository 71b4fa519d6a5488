import { argentineDay, type Day, HOUR_MS, type Instant } from '../../../../shared/argentine-time.ts'
import { bankDayBefore, type DecreedDay } from '../../../../shared/market/holidays.ts'
import { FUTURES_HOURS } from '../../../../shared/market/market-hours.ts'
import { lastClose } from '../../collect/hours.ts'
import type { Derivation, DeriveContext } from '../derivation.ts'
import type { Reading } from '../../sources/source.ts'

type Future = Extract<Reading, { kind: 'future' }>

/** Settlements appear overnight. This long after a close, the newest must be of that session. */
const SETTLED_MS = 12 * HOUR_MS

/** The contract that expires next, from the futures board. */
export const frontContract: Derivation = (readings, context) =>
  futureIn(readings, context)[0] ?? null

/**
 * The newest settlement of the front contract; null while it is older than the last session. Else
 * yesterday's settlement would replace today's last price.
 */
export const settlement: Derivation = (readings, context) => {
  const [newest] = futureIn(readings, context).toSorted((a, b) =>
    (b.day ?? '').localeCompare(a.day ?? ''),
  )
  if (!newest?.day || newest.day < sessionDue(context)) return null

  return { buy: newest.buy, sell: newest.sell, stamp: newest.day }
}

/**
 * `YYYY-MM` of the front contract. A contract expires on the last business day of its month and is
 * the front contract to the end of that day. On the next day the value jumps by a month's carry.
 */
export function frontMonth(now: Instant, decreed?: readonly DecreedDay[]): string {
  const today = argentineDay(now)
  const [year, month] = today.split('-').map(Number) as [number, number]
  const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`
  return today > bankDayBefore(`${next}-01`, decreed) ? next : today.slice(0, 7)
}

function futureIn(readings: readonly Reading[], context: DeriveContext): Future[] {
  const front = frontMonth(context.now, context.decreed)
  return readings.filter(
    (reading): reading is Future => reading.kind === 'future' && reading.month === front,
  )
}

function sessionDue({ now, decreed }: DeriveContext): Day {
  const close = lastClose(FUTURES_HOURS, now - SETTLED_MS, { decreed })
  return close === null ? '' : argentineDay(close - 1)
}
