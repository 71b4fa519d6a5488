import type { Instant } from '../../argentine-time.ts'
import { MAX_ATTEMPTS } from '../../webhooks/retry.ts'
import { FIRST, FITS, headOf, LEASE_MS, LOOK_AGAIN_MS, RETENTION_MS } from './open.ts'
import { itemsOf } from './slots.ts'

/** A row that is ours to send until its lease ends, and what is needed to send it. */
export interface Claim {
  id: number
  /** Fences every write about this attempt. */
  token: string
  deliveryId: string
  webhookId: string
  type: 'automatic' | 'manual' | 'sync'
  /** This attempt included. */
  attempts: number
  releases: number
  createdAt: Instant
  body: string
  /** Scheme and host of the masked destination. */
  origin: string
  claimedAt: Instant
  /** Null for the system destination. */
  sealed: { url: string; authorization: string | null; secret: string } | null
  /**
   * Whether a delivery clears something of the webhook: failures in a row, or a sync that is owed.
   * What is not there now cannot come while this attempt is under way: it is the only one that may
   * fail, and a sync that comes to be owed meanwhile is not paid by it.
   */
  clears: boolean
}

/** Whose attempt a settle is about. */
export type Fence = Pick<Claim, 'id' | 'token' | 'webhookId' | 'type' | 'createdAt'>

export interface Claims {
  claims: Claim[]
  /** Rows that were only looked at, and are due and first in their webhook's order. */
  waiting: { id: number; origin: string }[]
}

/** Rows by id, and webhooks whose first open row is meant. */
export interface Rows {
  ids?: readonly number[]
  webhooks?: readonly string[]
}

/** What is to be claimed, and what only looked at. */
export interface Wanted {
  /** At most `SLOTS` ids. */
  claim: Rows
  /** Hosts to which nothing may be claimed, as origins. */
  crowded?: readonly string[]
  /** What of these was not claimed is told. */
  look?: Rows
  /** A token that nobody else has. */
  token: string
}

interface ClaimedRow {
  id: number
  delivery_id: string
  webhook_id: string
  type: Claim['type']
  attempts: number
  releases: number
  created_at: Instant
  body: string
  origin: string
  /** Null for the system destination. */
  webhook: string | null
}

/** What an attempt needs of its webhook as one JSON text, so that it costs one look at its row. */
const WEBHOOK = `(select json_array(w.url_sealed, w.secret_sealed, w.authorization_sealed,
    w.needs_sync or w.consecutive_failures > 0)
  from webhooks w where w.id = webhook_id) as webhook`

/** Scheme and host: what `destination` is before its mask. */
const ORIGIN = `replace(deliveries.destination, '/***', '')`

const DUE = `deliveries.status in ('pending', 'failed') and deliveries.next_attempt_at <= ?1
  and deliveries.attempts < ${MAX_ATTEMPTS} and deliveries.created_at > ?1 - ${RETENTION_MS}
  and ${FIRST}`

/** The first open rows of the webhooks in `?2`. */
const HEADS = `(select ${headOf('w.value')} as value from json_each(?2) w)`

/**
 * The statements that claim what is wanted and may be sent now: due, first in its webhook's order,
 * fitting its revision and state, young enough. Of any number of parallel claims of a row, one wins.
 */
export function claimStatements(
  db: D1Database,
  { claim, look = {}, crowded = [], token }: Wanted,
  now: Instant,
): D1PreparedStatement[] {
  const full = crowded.length > 0 ? [JSON.stringify(crowded)] : []
  const claimIn = (set: string, rows: readonly unknown[]) =>
    db
      .prepare(
        `update deliveries set status = 'sending', attempts = attempts + 1,
           previous_attempt_at = last_attempt_at, last_attempt_at = ?1,
           lease_token = ?3, lease_until = ?1 + ${LEASE_MS},
           hinted_at = ?1 + ${LEASE_MS - LOOK_AGAIN_MS}
         where deliveries.id in ${set}
           ${full.length > 0 ? `and instr(?4, json_quote(${ORIGIN})) = 0` : ''}
           and ${DUE} and ${FITS}
         returning id, delivery_id, webhook_id, type, attempts, releases, body, created_at,
           ${ORIGIN} as origin, ${WEBHOOK}`,
      )
      .bind(now, JSON.stringify(rows), token, ...full)
  const lookIn = (set: string, rows: readonly unknown[]) =>
    db
      .prepare(
        `select deliveries.id, ${ORIGIN} as origin
         from ${set} wanted cross join deliveries on deliveries.id = wanted.value where ${DUE}`,
      )
      .bind(now, JSON.stringify(rows))

  return [
    ...(claim.ids?.length ? [claimIn(itemsOf('?2', claim.ids), claim.ids)] : []),
    ...(claim.webhooks?.length ? [claimIn(HEADS, claim.webhooks)] : []),
    ...(look.ids?.length ? [lookIn('json_each(?2)', look.ids)] : []),
    ...(look.webhooks?.length ? [lookIn(HEADS, look.webhooks)] : []),
  ]
}

/** What `claimStatements` claimed, from the results of its statements. */
export function claimsOf(results: readonly D1Result[], { token }: Wanted, now: Instant): Claims {
  const rows = results.flatMap(({ results }) => results) as (ClaimedRow | Claims['waiting'][0])[]
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
    webhookId: row.webhook_id,
    type: row.type,
    attempts: row.attempts,
    releases: row.releases,
    createdAt: row.created_at,
    body: row.body,
    origin: row.origin,
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
