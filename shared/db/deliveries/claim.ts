import { DAY_MS, type Instant } from '../../argentine-time.ts'
import { MAX_ATTEMPTS } from '../../webhooks/retry.ts'
import { MAY_DELIVER } from '../installation.ts'
import type { Statement } from '../named-batch.ts'
import type { deliveries } from '../schema.ts'

/** How long one attempt may hold a row: its deadline of ten seconds, and as much again. */
export const LEASE_MS = 20_000

/** How long after its hint, or the last sweep that saw it, a sweep looks at a row. */
export const STALE_MS = 30_000

/** Delivery rows are deleted after seven days, in any status. */
export const RETENTION_MS = 7 * DAY_MS

type Row = typeof deliveries.$inferSelect

/** A row that this run may send until the lease ends, with what the attempt needs. */
export interface Claim extends Pick<
  Row,
  | 'id'
  | 'deliveryId'
  | 'subscriptionId'
  | 'accountId'
  | 'type'
  | 'redelivery'
  | 'releases'
  | 'body'
  | 'createdAt'
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
export type Fence = Pick<
  Claim,
  'id' | 'token' | 'subscriptionId' | 'type' | 'redelivery' | 'createdAt'
>

/** A claim as D1 returns it: the fields of its subscription are one JSON text. */
type ClaimedRow = Omit<Claim, 'sealed' | 'clears'> & { subscription: string }

/**
 * The statement that claims, for each of these rows, the first open row of its order, if that row is
 * due, eligible and young enough. So a hint for a row, or the row that ended in the same transaction,
 * brings the next one. Of parallel claims of a row one wins.
 */
export function claimStatement(
  db: D1Database,
  ids: readonly number[],
  token: string,
  now: Instant,
): Statement<ClaimedRow> {
  return db
    .prepare(
      `update deliveries set status = 'sending', attempts = attempts + 1,
         previous_attempt_at = last_attempt_at, last_attempt_at = ?1,
         lease_token = ?3, lease_until = ?1 + ${LEASE_MS}
       where id in (select o.head from json_each(?2) v join delivery_order o on o.id = v.value)
         and status in ('pending', 'failed') and next_attempt_at <= ?1
         and attempts < ${MAX_ATTEMPTS} and created_at > ?1 - ${RETENTION_MS}
         and exists (select 1 from delivery_order o
           where o.id = deliveries.id and o.is_eligible and not o.is_beside_another)
         and ${MAY_DELIVER}
       returning id, lease_token as token, delivery_id as deliveryId,
         subscription_id as subscriptionId, account_id as accountId, type, redelivery, attempts,
         releases, body, created_at as createdAt, replace(destination, '/***', '') as host, last_attempt_at as claimedAt,
         coalesce((
           select json_object('sealed', json_object('url', w.url_sealed,
               'authorization', w.authorization_sealed, 'secret', w.secret_sealed),
             'clears', json(iif(type <> 'manual' and redelivery is null
               and (w.needs_sync or w.consecutive_failures > 0), 'true', 'false')))
           from subscriptions w where w.id = subscription_id),
           '{"sealed":null,"clears":false}') as subscription`,
    )
    .bind(now, JSON.stringify(ids), token)
}

/** What `claimStatement` claimed. */
export function claimsOf({ results }: D1Result<ClaimedRow>): Claim[] {
  return results.map(({ subscription, ...claim }) => ({
    ...claim,
    ...(JSON.parse(subscription) as Pick<Claim, 'sealed' | 'clears'>),
  }))
}
