import type { Instant } from '../../argentine-time.ts'
import type { DeliveryType, Redelivery } from '../../webhooks/delivery.ts'
import { MAX_ATTEMPTS } from '../../webhooks/retry.ts'
import { itemsOf } from './batch.ts'
import { FIRST, firstOpen, firstRedelivery, IS_ELIGIBLE, LEASE_MS, RETENTION_MS } from './open.ts'
import { HOST, WAITING_ROW, type WaitingRow } from './waiting.ts'

/** A row that is ours to send until its lease ends, and what sending it needs. */
export interface Claim {
  id: number
  /** Fences every write about this attempt. */
  token: string
  deliveryId: string
  subscriptionId: string
  type: DeliveryType
  redelivery: Redelivery | null
  /** This attempt included. */
  attempts: number
  /** Those of them that were made before it was opened again. */
  attemptsBefore: number
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

/**
 * The order that a delivery goes out in: that of its webhook, or that of the webhook's redeliveries.
 * Null for a test and for what is redelivered alone, which are in none.
 */
export function orderOf({
  type,
  redelivery,
  subscriptionId,
}: Pick<Claim, 'type' | 'redelivery' | 'subscriptionId'>): string | null {
  if (type === 'manual' || redelivery === 'alone') return null
  return redelivery === null ? subscriptionId : `${subscriptionId} again`
}

export interface Claims {
  claims: Claim[]
  /** The rows of `peek` that may be claimed. */
  waiting: WaitingRow[]
}

/** A row that was the first of its order. In that of a webhook no open row is before it. */
export type Place = Pick<Claim, 'subscriptionId' | 'redelivery' | 'id'>

/** Rows by id, and orders whose first open row is meant. */
export interface Rows {
  ids?: readonly number[]
  orders?: readonly Place[]
}

/** What is to be claimed, and what is only read. */
export interface Wanted {
  /** At most `MAX_ROWS` ids. */
  claim: Rows
  /** Hosts for which nothing is claimed. */
  saturated?: readonly string[]
  /** Those of these that may be claimed are returned as waiting. */
  peek?: Rows
  /** A token that nobody else has. */
  token: string
}

interface ClaimedRow extends WaitingRow {
  delivery_id: string
  subscription_id: string
  type: Claim['type']
  redelivery: Claim['redelivery']
  attempts: number
  attempts_before: number
  releases: number
  created_at: Instant
  body: string
  /** Null for the system destination. */
  webhook: string | null
}

/** What an attempt needs of its webhook as one JSON text, so that its row is read once. */
const WEBHOOK = `(select json_array(w.url_sealed, w.secret_sealed, w.authorization_sealed,
    w.needs_sync or w.consecutive_failures > 0)
  from subscriptions w where w.id = subscription_id) as webhook`

const DUE = `deliveries.status in ('pending', 'failed') and deliveries.next_attempt_at <= ?1
  and deliveries.attempts < deliveries.attempts_before + ${MAX_ATTEMPTS}
  and deliveries.created_at > ?1 - ${RETENTION_MS}
  and ${FIRST}`

/** The first open rows of the orders in `?2`: a subscription, the id of a row, whether of redeliveries. */
const HEADS = `(select iif(w.value ->> 2, ${firstRedelivery('w.value ->> 0')},
    ${firstOpen('w.value ->> 0', 'w.value ->> 1')}) as value from json_each(?2) w)`

function headsOf(places: readonly Place[]) {
  return places.map(({ subscriptionId, id, redelivery }) => [
    subscriptionId,
    id,
    redelivery !== null,
  ])
}

/**
 * The statements that claim what is wanted and may be sent now: due, first in its webhook's order,
 * eligible, young enough. Of any number of parallel claims of a row, one wins.
 */
export function claimStatements(
  db: D1Database,
  { claim, peek = {}, saturated = [], token }: Wanted,
  now: Instant,
): D1PreparedStatement[] {
  const full = saturated.length > 0 ? [JSON.stringify(saturated)] : []
  const claimIn = (set: string, rows: readonly unknown[]) =>
    db
      .prepare(
        `update deliveries set status = 'sending', attempts = attempts + 1,
           previous_attempt_at = last_attempt_at, last_attempt_at = ?1,
           lease_token = ?3, lease_until = ?1 + ${LEASE_MS}
         where deliveries.id in ${set}
           ${full.length > 0 ? `and instr(?4, json_quote(${HOST})) = 0` : ''}
           and ${DUE} and ${IS_ELIGIBLE}
         returning ${WAITING_ROW}, delivery_id, subscription_id, type, redelivery, attempts, attempts_before,
           releases, body, created_at, ${WEBHOOK}`,
      )
      .bind(now, JSON.stringify(rows), token, ...full)
  const peekIn = (set: string, rows: readonly unknown[]) =>
    db
      .prepare(
        `select ${WAITING_ROW}
         from ${set} wanted cross join deliveries on deliveries.id = wanted.value where ${DUE}`,
      )
      .bind(now, JSON.stringify(rows))

  return [
    ...(claim.ids?.length ? [claimIn(itemsOf('?2', claim.ids), claim.ids)] : []),
    ...(claim.orders?.length ? [claimIn(HEADS, headsOf(claim.orders))] : []),
    ...(peek.ids?.length ? [peekIn('json_each(?2)', peek.ids)] : []),
    ...(peek.orders?.length ? [peekIn(HEADS, headsOf(peek.orders))] : []),
  ]
}

/** What `claimStatements` claimed, from the results of its statements. */
export function claimsOf(results: readonly D1Result[], { token }: Wanted, now: Instant): Claims {
  const rows = results.flatMap(({ results }) => results) as (ClaimedRow | WaitingRow)[]
  const isClaimed = (row: (typeof rows)[0]): row is ClaimedRow => 'body' in row
  return {
    claims: rows.filter(isClaimed).map((row) => claimOf(row, token, now)),
    waiting: rows.filter((row) => !isClaimed(row)),
  }
}

function claimOf(row: ClaimedRow, token: string, claimedAt: Instant): Claim {
  return {
    id: row.id,
    token,
    deliveryId: row.delivery_id,
    subscriptionId: row.subscription_id,
    type: row.type,
    redelivery: row.redelivery,
    attempts: row.attempts,
    attemptsBefore: row.attempts_before,
    releases: row.releases,
    createdAt: row.created_at,
    body: row.body,
    host: row.host,
    claimedAt,
    ...(row.webhook === null ? { sealed: null, clears: false } : readWebhook(row.webhook)),
  }
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
