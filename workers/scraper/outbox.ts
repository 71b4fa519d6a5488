import type { Instant } from '../../shared/argentine-time.ts'
import { findPairByKey, pairKey } from '../../shared/catalog.ts'
import {
  type ChangedQuote,
  outboxStatements,
  type SystemDestination,
} from '../../shared/db/outbox.ts'
import { maskDestination } from '../../shared/destination.ts'

/** What decides which deliveries a change makes. */
export interface OutboxEnv {
  DB: D1Database
  /** `open` or `closed`. */
  WEBHOOK_ADMISSION: string
  /** A whole number. */
  DELIVERY_CAPACITY: string
  SYSTEM_WEBHOOK_URL?: string
  SYSTEM_WEBHOOK_PAIRS?: string
}

/** The statements that make the deliveries of changes, for the batch of their cycle. */
export function deliveriesOf(
  env: OutboxEnv,
  changes: readonly ChangedQuote[],
  at: Instant,
): D1PreparedStatement[] {
  return outboxStatements(env.DB, changes, {
    at,
    admitted: env.WEBHOOK_ADMISSION === 'open',
    capacity: Number(env.DELIVERY_CAPACITY),
    system: systemDestination(env),
  })
}

/** Null when none is configured; a URL that is none must not cost the cycle its quotes. */
export function systemDestination({
  SYSTEM_WEBHOOK_URL: url,
  SYSTEM_WEBHOOK_PAIRS: list,
}: Pick<OutboxEnv, 'SYSTEM_WEBHOOK_URL' | 'SYSTEM_WEBHOOK_PAIRS'>): SystemDestination | null {
  if (!url || !URL.canParse(url)) return null

  const pairs = list
    ?.split(',')
    .map((key) => findPairByKey(key.trim()))
    .filter((pair) => pair !== undefined)
    .map(pairKey)
  return { destination: maskDestination(url), pairs: pairs ?? null }
}
