import { DAY_MS, type Instant } from '../../argentine-time.ts'
import { MAX_ATTEMPTS } from '../../webhooks/retry.ts'
import { MAY_DELIVER } from '../installation.ts'
import type { Statement } from '../named-batch.ts'
import type { deliveries } from '../schema.ts'

/** The lease of an attempt on its row: twice the attempt's deadline of ten seconds. */
export const LEASE_MS = 20_000

/** A sweep looks at a row this long after the row's hint was due or a sweep last saw the row. */
export const STALE_MS = 30_000

/** Delivery rows are deleted after seven days, in any status. */
export const RETENTION_MS = 7 * DAY_MS

type Row = typeof deliveries.$inferSelect

/** A row that this run may send until the lease ends, with the data for the attempt. */
export interface Claim extends Pick<
  Row,
  | 'id'
  | 'deliveryId'
  | 'subscriptionId'
  | 'type'
  | 'redelivered'
  | 'releases'
  | 'body'
  | 'createdAt'
> {
  /** Fences every write of this attempt's outcome. */
  token: string
  /** Attempts so far, this one included. */
  attempts: number
  /** Scheme and host of the destination. */
  host: string
  claimedAt: Instant
  /** Null for the system destination. */
  sealed: { url: string; authorization: string | null; secret: string } | null
  /**
   * Whether the success of this delivery resets the failure count or completes a sync that was
   * made. This cannot become true during the attempt: no other row of the order fails meanwhile,
   * and this delivery does not complete a sync that is made later.
   */
  clears: boolean
}

/** Identifies the attempt to settle. The token fences the writes. */
export type Fence = Pick<
  Claim,
  'id' | 'token' | 'subscriptionId' | 'type' | 'redelivered' | 'createdAt'
>

/** A claim as D1 returns it, with the subscription's fields as one JSON text. */
type ClaimedRow = Omit<Claim, 'sealed' | 'clears'> & { subscription: string }

/**
 * The statement that claims, for each of these rows, the first open row of the same order, if that
 * row is due, eligible and young enough. So a hint for any row, or a row that ended in the same
 * transaction, leads to the next row of the order. If runs claim the same row, only one succeeds.
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
         lease_token = ?3, lease_until = ?1 + ${LEASE_MS}
       where id in (select o.head from json_each(?2) v join delivery_order o on o.id = v.value)
         and status in ('pending', 'failed') and next_attempt_at <= ?1
         and attempts < ${MAX_ATTEMPTS} and created_at > ?1 - ${RETENTION_MS}
         and exists (select 1 from delivery_order o
           where o.id = deliveries.id and o.is_eligible and not o.is_beside_another)
         and ${MAY_DELIVER}
       returning id, lease_token as token, delivery_id as deliveryId,
         subscription_id as subscriptionId, type, redelivered, attempts,
         releases, body, created_at as createdAt, replace(destination, '/***', '') as host,
         ?1 as claimedAt,
         coalesce((
           select json_object('sealed', json_object('url', w.url_sealed,
               'authorization', w.authorization_sealed, 'secret', w.secret_sealed),
             'clears', json(iif(type <> 'manual' and not redelivered
               and (w.sync is not null or w.consecutive_failures > 0), 'true', 'false')))
           from subscriptions w where w.id = subscription_id),
           '{"sealed":null,"clears":false}') as subscription`,
    )
    .bind(now, JSON.stringify(ids), token)
}

/** The claims that `claimStatement` made. */
export function claimsOf({ results }: D1Result<ClaimedRow>): Claim[] {
  return results.map(({ subscription, ...claim }) => ({
    ...claim,
    ...(JSON.parse(subscription) as Pick<Claim, 'sealed' | 'clears'>),
  }))
}
