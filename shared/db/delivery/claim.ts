import type { Instant } from '../../argentine-time.ts'
import { MAX_ATTEMPTS } from '../../retry.ts'
import { FIRST, FITS, LEASE_MS, LOOK_AGAIN_MS, RETENTION_MS } from './open.ts'

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
  body: string
  /** Scheme and host of the masked destination. */
  origin: string
  claimedAt: Instant
  /** Null for the system destination. */
  sealed: { url: string; authorization: string | null; secret: string } | null
}

export interface Claims {
  claims: Claim[]
  /** Due rows that were left because their host has enough connections. */
  heldBack: { id: number; origin: string }[]
}

interface ClaimedRow {
  id: number
  delivery_id: string
  webhook_id: string
  type: Claim['type']
  attempts: number
  releases: number
  body: string
  origin: string
  /** Null for the system destination. */
  sealed: string | null
}

const WANTED = 'select value from json_each(?1)'

/** The webhook's sealed fields as one JSON text, so that they cost one look at its row. */
const SEALED = `(select json_array(w.url_sealed, w.secret_sealed, w.authorization_sealed)
  from webhooks w where w.id = webhook_id) as sealed`

/** Scheme and host: what `destination` is before its mask. */
const ORIGIN = `replace(deliveries.destination, '/***', '')`

/** Rows that may be sent now, apart from the room of their host. */
const CLAIMABLE = `deliveries.status in ('pending', 'failed') and deliveries.next_attempt_at <= ?2
  and deliveries.attempts < ${MAX_ATTEMPTS} and deliveries.created_at > ?2 - ${RETENTION_MS}
  and ${FIRST} and ${FITS}`

/** The wanted rows among those of their host, placed after what it already has in flight. */
const PLACED = `select deliveries.id, ${ORIGIN} as origin,
    row_number() over (partition by ${ORIGIN} order by deliveries.id)
      + coalesce((select value from json_each(?3) where key = ${ORIGIN}), 0) as place
  from json_each(?1) wanted join deliveries on deliveries.id = wanted.value where ${CLAIMABLE}`

/**
 * Claims the rows among `ids` that may be sent now, in one round trip: due, first in their
 * webhook's order, fitting its revision and state, young enough, and within `hostLimit` attempts
 * at once per host, counting those in `busy` (origin → attempts in flight). Of any number of
 * parallel claims of a row, one wins.
 */
export async function claimDeliveries(
  db: D1Database,
  ids: readonly number[],
  options: {
    now: Instant
    token: string
    busy: Readonly<Record<string, number>>
    hostLimit: number
  },
): Promise<Claims> {
  const { now, token, busy, hostLimit } = options
  const wanted = JSON.stringify([...new Set(ids)])
  // Hosts are told apart only when one could have too many: mostly all have room for a batch.
  const isTight = Math.max(0, ...Object.values(busy)) + ids.length > hostLimit
  const places = [JSON.stringify(busy), hostLimit]

  const [claimed, held] = await db.batch([
    db
      .prepare(
        `update deliveries set status = 'sending', attempts = attempts + 1, last_attempt_at = ?2,
           lease_token = ${isTight ? '?5' : '?3'}, lease_until = ?2 + ${LEASE_MS},
           hinted_at = ?2 + ${LEASE_MS - LOOK_AGAIN_MS}
         where id in (${isTight ? `select id from (${PLACED}) where place <= ?4` : WANTED})
           and ${CLAIMABLE}
         returning id, delivery_id, webhook_id, type, attempts, releases, body, ${ORIGIN} as origin,
           ${SEALED}`,
      )
      .bind(wanted, now, ...(isTight ? places : []), token),
    ...(isTight
      ? [db.prepare(`select id, origin from (${PLACED})`).bind(wanted, now, places[0])]
      : []),
  ])

  return {
    claims: (claimed!.results as unknown as ClaimedRow[]).map((row) => claimOf(row, token, now)),
    heldBack: (held?.results ?? []) as unknown as Claims['heldBack'],
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
    body: row.body,
    origin: row.origin,
    claimedAt,
    sealed: row.sealed === null ? null : sealedOf(row.sealed),
  }
}

function sealedOf(text: string): NonNullable<Claim['sealed']> {
  const [url, secret, authorization] = JSON.parse(text) as [string, string, string | null]
  return { url, secret, authorization }
}
