/** The operator's view of the quarantine: held values and overrides. */
import type { Instant } from '../../argentine-time.ts'
import { type Pair, pairById } from '../../market/catalog.ts'
import type { Price } from '../../market/price.ts'

export interface HeldValue {
  pair: Pair | undefined
  buy: Price
  sell: Price
  source: string
  reason: string
  status: 'held' | 'accepted' | 'rejected'
  firstSeenAt: Instant
  lastSeenAt: Instant
}

/** Unresolved rows, in the exact words of their partial index. */
export const UNRESOLVED = `status in ('held', 'accepted', 'rejected') and resolved_at is null`

const COLUMNS = `pair, buy, sell, source, reason, status, first_seen_at as firstSeenAt,
  last_seen_at as lastSeenAt`

/** Every unresolved value, held or overridden, oldest first. */
export async function listHeld(binding: D1Database): Promise<HeldValue[]> {
  const { results } = await binding
    .prepare(
      `select ${COLUMNS} from quarantine
       where ${UNRESOLVED} order by id`,
    )
    .all<Omit<HeldValue, 'pair'> & { pair: number }>()
  return results.map((row) => ({ ...row, pair: pairById(row.pair) }))
}

/**
 * Overrides the guard on the held value of a pair: the next cycle in which a source repeats the value
 * publishes it, or no cycle does. A later call changes the override. Null when nothing is held.
 */
export async function overrideHeld(
  binding: D1Database,
  pair: Pair,
  decision: 'accepted' | 'rejected',
): Promise<HeldValue | null> {
  const row = await binding
    .prepare(
      `update quarantine set status = ?2
       where pair = ?1 and ${UNRESOLVED}
       returning ${COLUMNS}`,
    )
    .bind(pair.id, decision)
    .first<Omit<HeldValue, 'pair'>>()
  return row && { ...row, pair }
}
