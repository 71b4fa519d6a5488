import type { Instant } from '../../argentine-time.ts'
import type { DeliveryType, Redelivery } from '../../webhooks/delivery.ts'
import { MAX_ATTEMPTS } from '../../webhooks/retry.ts'
import { FIRST, headOfOrder, IS_ELIGIBLE, LEASE_MS, RETENTION_MS } from './open.ts'

/** A row that is ours to send until its lease ends, and what sending it needs. */
export interface Claim {
  id: number
  /** Fences every write about this attempt. */
  token: string
  deliveryId: string
  subscriptionId: string
  accountId: string
  type: DeliveryType
  redelivery: Redelivery | null
  /** This attempt included. */
  attempts: number
  releases: number
  createdAt: Instant
  body: string
  /** Scheme and host of the destination. */
  host: string
  claimedAt: Instant
  /** Null for the system destination. */
  sealed: { url: string; authorization: string | null; secret: string } | null
  /**
   * Whether a delivery clears something of the webhook: failures in a row, or a sync that is owed.
   * It cannot become true during the attempt. No other attempt of the webhook may fail meanwhile,
   * and this attempt does not pay a sync that comes to be owed meanwhile.
   */
  clears: boolean
}

/** Whose attempt a settle is about. */
export type Fence = Pick<
  Claim,
  'id' | 'token' | 'subscriptionId' | 'type' | 'redelivery' | 'createdAt'
>

/** The order that a delivery goes out in: that of its webhook, or that of the webhook's redeliveries. */
export type Order = Pick<Claim, 'subscriptionId' | 'redelivery'>

/** A text for each order; null for a test and for what is redelivered alone, which are in none. */
export function orderOf({
  type,
  redelivery,
  subscriptionId,
}: Pick<Claim, 'type' | 'redelivery' | 'subscriptionId'>): string | null {
  if (redelivery !== null) return redelivery === 'in order' ? `${subscriptionId} again` : null
  return type === 'manual' ? null : subscriptionId
}

/** What is to be claimed: rows, or the first open rows of orders. */
export interface Wanted {
  ids?: readonly number[]
  orders?: readonly Order[]
  /** A token that nobody else has. */
  token: string
}

const DUE = `deliveries.status in ('pending', 'failed') and deliveries.next_attempt_at <= ?1
  and deliveries.attempts < ${MAX_ATTEMPTS} and deliveries.created_at > ?1 - ${RETENTION_MS}
  and ${FIRST}`

const IDS = `(select value from json_each(?2))`

/** The first open rows of the orders in `?2`. */
const HEADS = `(select ${headOfOrder('value ->> 0', 'value ->> 1')} from json_each(?2))`

/** Orders as a parameter of statements that look for their first rows. */
function headsOf(orders: Iterable<Order>): string {
  return JSON.stringify(
    Array.from(orders, ({ subscriptionId, redelivery }) => [subscriptionId, redelivery !== null]),
  )
}

/** What an attempt needs of its webhook as one JSON text, so that its row is read once. */
const WEBHOOK = `(select json_array(w.url_sealed, w.secret_sealed, w.authorization_sealed,
    w.needs_sync or w.consecutive_failures > 0)
  from subscriptions w where w.id = subscription_id) as webhook`

/**
 * The statement that claims what is wanted and may be sent now: due, first in its order, eligible,
 * young enough. Of any number of parallel claims of a row, one wins.
 */
export function claimStatement(
  db: D1Database,
  { ids, orders = [], token }: Wanted,
  now: Instant,
): D1PreparedStatement {
  return db
    .prepare(
      `update deliveries set status = 'sending', attempts = attempts + 1,
         previous_attempt_at = last_attempt_at, last_attempt_at = ?1,
         lease_token = ?3, lease_until = ?1 + ${LEASE_MS}
       where deliveries.id in ${ids ? IDS : HEADS} and ${DUE} and ${IS_ELIGIBLE}
       returning id, delivery_id, subscription_id, account_id, destination, type, redelivery, attempts,
         releases, body, created_at, ${WEBHOOK}`,
    )
    .bind(now, ids ? JSON.stringify(ids) : headsOf(orders), token)
}

/** The statement that reads which rows are next in orders, for others to claim. */
export function findNext(
  db: D1Database,
  orders: readonly Order[],
  now: Instant,
): D1PreparedStatement {
  return db
    .prepare(`select id from deliveries where id in ${HEADS} and ${DUE}`)
    .bind(now, headsOf(orders))
}

interface ClaimedRow {
  id: number
  delivery_id: string
  subscription_id: string
  account_id: string
  destination: string
  type: Claim['type']
  redelivery: Claim['redelivery']
  attempts: number
  releases: number
  created_at: Instant
  body: string
  /** Null for the system destination. */
  webhook: string | null
}

/** What `claimStatement` claimed. */
export function claimsOf({ results }: D1Result, { token }: Wanted, claimedAt: Instant): Claim[] {
  return (results as ClaimedRow[]).map((row) => ({
    id: row.id,
    token,
    deliveryId: row.delivery_id,
    subscriptionId: row.subscription_id,
    accountId: row.account_id,
    type: row.type,
    redelivery: row.redelivery,
    attempts: row.attempts,
    releases: row.releases,
    createdAt: row.created_at,
    body: row.body,
    host: row.destination.replace('/***', ''),
    claimedAt,
    ...(row.webhook === null ? { sealed: null, clears: false } : readWebhook(row.webhook)),
  }))
}

function readWebhook(text: string): Pick<Claim, 'sealed' | 'clears'> {
  const [url, secret, authorization, clears] = JSON.parse(text) as [
    string,
    string,
    string | null,
    0 | 1,
  ]
  return { sealed: { url, secret, authorization }, clears: clears === 1 }
}
