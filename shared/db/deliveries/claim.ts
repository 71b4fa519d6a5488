import type { Instant } from '../../argentine-time.ts'
import { MAX_ATTEMPTS } from '../../webhooks/retry.ts'
import { MAY_DELIVER } from '../installation.ts'
import type { deliveries } from '../schema.ts'
import { headOfRow, IS_BESIDE_ANOTHER, IS_ELIGIBLE, LEASE_MS, RETENTION_MS } from './open.ts'

type Row = typeof deliveries.$inferSelect

/** A row that is ours to send until its lease ends, and what sending it needs. */
export interface Claim extends Pick<
  Row,
  'id' | 'deliveryId' | 'subscriptionId' | 'accountId' | 'type' | 'redelivery' | 'releases' | 'body'
> {
  /** Fences every write about this attempt. */
  token: string
  /** This one included. */
  attempts: number
  /** Scheme and host of the destination. */
  host: string
  claimedAt: Instant
  /** Null for the system destination. */
  sealed: { url: string; authorization: string | null; secret: string } | null
  /**
   * Whether a delivery clears failures in a row, or a sync that is owed. It cannot become true during
   * the attempt: no other of its order fails meanwhile, and a later sync is not paid by this one.
   */
  clears: boolean
}

/** Whose attempt a settle is about. */
export type Fence = Pick<Claim, 'id' | 'token' | 'subscriptionId' | 'type' | 'redelivery'>

/** What a claim needs of its subscription, as one JSON text, so that its row is read once. */
const SUBSCRIPTION = `(select json_object('sealed', json_object('url', w.url_sealed,
    'authorization', w.authorization_sealed, 'secret', w.secret_sealed),
    'clears', json(iif(type <> 'manual' and redelivery is null
      and (w.needs_sync or w.consecutive_failures > 0), 'true', 'false')))
  from subscriptions w where w.id = subscription_id)`

/**
 * The statement that claims the first of the order of each of these rows, under a token that nobody
 * else has: due, eligible, young enough. So a hint for a row, or the row that ended just before in the
 * same transaction, brings whatever comes next. Of any number of parallel claims of a row, one wins.
 */
export function claimStatement(
  db: D1Database,
  ids: readonly number[],
  token: string,
  now: Instant,
): D1PreparedStatement {
  const claim = db.prepare(
    `update deliveries set status = 'sending', attempts = attempts + 1,
       previous_attempt_at = last_attempt_at, last_attempt_at = ?1,
       lease_token = ?3, lease_until = ?1 + ${LEASE_MS}
     where deliveries.id in (select ${headOfRow('d')} from json_each(?2) v
         join deliveries d on d.id = v.value)
       and status in ('pending', 'failed') and next_attempt_at <= ?1
       and attempts < ${MAX_ATTEMPTS} and created_at > ?1 - ${RETENTION_MS}
       and not ${IS_BESIDE_ANOTHER} and ${IS_ELIGIBLE} and ${MAY_DELIVER}
     returning id, lease_token as token, delivery_id as deliveryId, subscription_id as subscriptionId,
       account_id as accountId, type, redelivery, attempts, releases, body,
       replace(destination, '/***', '') as host, last_attempt_at as claimedAt,
       coalesce(${SUBSCRIPTION}, '{"sealed":null,"clears":false}') as subscription`,
  )
  return claim.bind(now, JSON.stringify(ids), token)
}

/** What `claimStatement` claimed. */
export function claimsOf({ results }: D1Result): Claim[] {
  const rows = results as (Claim & { subscription: string })[]
  return rows.map(({ subscription, ...claim }) => ({ ...claim, ...JSON.parse(subscription) }))
}
