import type { Instant } from '../../../shared/argentine-time.ts'
import { findPairByKey, pairKey } from '../../../shared/market/catalog.ts'
import { orAbsent } from '../../../shared/log.ts'
import { parseSystemPairs, setting, type Variables } from '../../../shared/config/config.ts'
import { alertStatements, type Move } from '../db/alerts.ts'
import { type ChangedQuote, outboxStatements, type SystemDestination } from '../db/outbox.ts'
import { maskDestination } from '../../../shared/webhooks/destination/destination.ts'

/** The configuration that decides which deliveries a change makes. */
export interface OutboxEnv extends Pick<Variables, 'WEBHOOK_ADMISSION' | 'DELIVERY_CAPACITY'> {
  DB: D1Database
  SYSTEM_WEBHOOK_URL?: string
  SYSTEM_WEBHOOK_PAIRS?: string
}

/**
 * The statements that make the deliveries of changes and fire alerts, for the cycle's batch. Reads
 * the alerts only when a value changed.
 */
export async function deliveriesOf(
  env: OutboxEnv,
  changes: readonly ChangedQuote[],
  quotes: Pick<Move, 'before' | 'after'>,
  at: Instant,
): Promise<D1PreparedStatement[]> {
  const admission = admissionOf(env)
  const options = { at, ...admission, system: systemDestination(env) }
  const changed = changes.map(({ quote }) => quote.pair)
  // Alerts come first, because there are few, and webhooks could use up all capacity.
  return [
    ...(await alertStatements(env.DB, { ...quotes, changed }, options)),
    ...outboxStatements(env.DB, changes, options),
  ]
}

/** Logs a malformed setting and then makes no deliveries; the cycle still records its quotes. */
function admissionOf(env: OutboxEnv) {
  const read = () => ({
    admitted: setting(env, 'WEBHOOK_ADMISSION') === 'open',
    capacity: setting(env, 'DELIVERY_CAPACITY'),
  })
  return orAbsent(read) ?? { admitted: false, capacity: 0 }
}

/** The system destination; null when its settings are absent or malformed. */
export function systemDestination(
  env: Pick<OutboxEnv, 'SYSTEM_WEBHOOK_URL' | 'SYSTEM_WEBHOOK_PAIRS'>,
): SystemDestination | null {
  const read = () => ({
    url: setting(env, 'SYSTEM_WEBHOOK_URL'),
    pairs: parseSystemPairs(env.SYSTEM_WEBHOOK_PAIRS, findPairByKey),
  })
  const system = orAbsent(read)
  if (system?.url === undefined) return null

  return {
    destination: maskDestination(system.url),
    pairs: system.pairs?.map(pairKey) ?? null,
  }
}
