/**
 * The outbox: the batch that records changed values also inserts their deliveries, so that neither
 * exists without the other. It uses three statements for any number of changes and webhooks.
 */
import type { Instant } from '../../../shared/argentine-time.ts'
import { pairKey, type PairKey } from '../../../shared/market/catalog.ts'
import { deliveryIdSql } from '../../../shared/webhooks/delivery.ts'
import { payloadOf } from '../../../shared/webhooks/payload.ts'
import type { CurrentQuote } from '../../../shared/db/quotes/quotes.ts'
import type { Statement } from '../../../shared/db/named-batch.ts'

/**
 * A changed value. `previous` is null for a pair's first value, which makes no event (decision 41:
 * creation sends no sync).
 */
export interface ChangedQuote {
  quote: CurrentQuote
  previous: Pick<CurrentQuote, 'buy' | 'sell'> | null
}

export interface OutboxOptions {
  /** The instant of the events. */
  at: Instant
  /** Whether users' webhooks get events. The system destination always gets them. */
  admitted: boolean
  /** The most deliveries that may be open at once. */
  capacity: number
  system: SystemDestination | null
}

/** The owner's fixed destination (decisions 35 and 48: the system destination). */
export interface SystemDestination {
  /** The masked URL. */
  destination: string
  /** Null for every pair. */
  pairs: readonly PairKey[] | null
}

/**
 * The statements that insert the deliveries of changes. Put them into the batch that writes the
 * changes, after its writes. The batch must be fenced: these statements only check that the values
 * are in effect. Enqueue the returned rows after the commit.
 */
export function outboxStatements(
  db: D1Database,
  changes: readonly ChangedQuote[],
  { at, admitted, capacity, system }: OutboxOptions,
): Statement<{ id: number }>[] {
  const events = changes.flatMap(({ quote, previous }) => {
    if (!previous) return []
    const { pair, updatedAt } = quote
    const body = payloadOf('automatic', pair, quote, at, previous)
    return [{ key: pairKey(pair), pair: pair.id, at: updatedAt, body }]
  })
  const follows = ({ key }: { key: PairKey }) => system?.pairs?.includes(key) ?? true
  const ofSystem = events.filter(follows)
  const list = JSON.stringify(events)

  return [
    ...(system && ofSystem.length > 0
      ? [insertSystem(db, JSON.stringify(ofSystem), system.destination, at)]
      : []),
    ...(admitted && events.length > 0
      ? [insertAutomatic(db, list, at, capacity), suspendLeftOut(db, list, at, capacity)]
      : []),
  ]
}

/**
 * One delivery to the system destination per event, even without capacity. If the cycle's value was
 * not written (a correction came first), the event makes no delivery.
 */
function insertSystem(db: D1Database, events: string, destination: string, at: Instant) {
  return db
    .prepare(
      `insert into deliveries (delivery_id, subscription_id, revision, pair,
         destination, type, status, attempts, releases, body, created_at, next_attempt_at)
       select ${deliveryIdSql('?2')}, 'system', 0, e.value ->> 'pair', ?3, 'automatic',
         'pending', 0, 0, e.value ->> 'body', ?2, ?2
       from json_each(?1) e
       where coalesce((select updated_at from current_quotes where pair = e.value ->> 'pair'),
         e.value ->> 'at') = e.value ->> 'at'
       returning id`,
    )
    .bind(events, at, destination)
}

/** One delivery per event and active webhook of its pair, up to the capacity. */
function insertAutomatic(db: D1Database, events: string, at: Instant, capacity: number) {
  return db
    .prepare(
      `insert into deliveries (delivery_id, subscription_id, revision, pair,
         destination, type, status, attempts, releases, body, created_at, next_attempt_at)
       select ${deliveryIdSql('?2')}, w.id, w.revision, w.pair, w.destination,
         'automatic', 'pending', 0, 0, e.value ->> 'body', ?2, ?2
       from json_each(?1) e join subscriptions w
         on w.kind = 'webhook' and w.pair = e.value ->> 'pair' and w.state = 'active'
       where coalesce((select updated_at from current_quotes where pair = e.value ->> 'pair'),
         e.value ->> 'at') = e.value ->> 'at'
       limit max(0, ?3 - (select outstanding from open_deliveries))
       returning id`,
    )
    .bind(events, at, capacity)
}

/**
 * Suspends the active webhooks that got no delivery of this change, and notes that each is owed a
 * sync. Reads no webhook when the capacity was enough for all.
 */
function suspendLeftOut(db: D1Database, events: string, at: Instant, capacity: number) {
  return db
    .prepare(
      `update subscriptions set state = 'capacity', sync = 'owed', version = version + 1
       where (select outstanding from open_deliveries) >= ?3 and kind = 'webhook'
         and state = 'active' and pair in (select value ->> 'pair' from json_each(?1))
         and not exists (select 1 from deliveries d where d.subscription_id = subscriptions.id
           and d.resolved_at is null and d.type = 'automatic' and d.created_at = ?2)`,
    )
    .bind(events, at, capacity)
}
