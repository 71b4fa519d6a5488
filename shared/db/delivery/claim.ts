import type { Instant } from '../../argentine-time.ts'
import { MAX_ATTEMPTS } from '../../retry.ts'
import { FIRST, FITS, LEASE_MS, LOOK_AGAIN_MS, OPEN, RETENTION_MS } from './open.ts'

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
  heldBack: number[]
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
  url_sealed: string | null
  authorization_sealed: string | null
  secret_sealed: string | null
}

/** Scheme and host: what `destination` is before its mask. */
const ORIGIN = `replace(deliveries.destination, '/***', '')`

/** Places of the wanted rows among those of their host, after what it already has in flight. */
const PLACED = `select deliveries.id, ${ORIGIN} as origin,
    row_number() over (partition by ${ORIGIN} order by deliveries.id)
      + coalesce((select value from json_each(?3) where key = ${ORIGIN}), 0) as place
  from json_each(?1) wanted join deliveries on deliveries.id = wanted.value
  where deliveries.status in ('pending', 'failed') and deliveries.next_attempt_at <= ?2
    and ${FIRST}`

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
  const inFlight = JSON.stringify(busy)

  const [held, , claimed] = (await db.batch([
    db
      .prepare(`select id from (${PLACED}) where place > ?4`)
      .bind(wanted, now, inFlight, hostLimit),
    db
      .prepare(
        `update deliveries set status = 'sending', attempts = attempts + 1, last_attempt_at = ?2,
           lease_token = ?5, lease_until = ?2 + ${LEASE_MS},
           hinted_at = ?2 + ${LEASE_MS - LOOK_AGAIN_MS}
         where id in (select id from (${PLACED}) where place <= ?4)
           and attempts < ${MAX_ATTEMPTS} and created_at > ?2 - ${RETENTION_MS}
           and status in ('pending', 'failed') and ${FITS}`,
      )
      .bind(wanted, now, inFlight, hostLimit, token),
    db
      .prepare(
        `select deliveries.id, delivery_id, webhook_id, deliveries.type, attempts, releases, body,
           ${ORIGIN} as origin, url_sealed, authorization_sealed, secret_sealed
         from json_each(?1) wanted join deliveries on deliveries.id = wanted.value
           left join webhooks w on w.id = webhook_id
         where lease_token = ?2 and ${OPEN}`,
      )
      .bind(wanted, token),
  ])) as [D1Result<{ id: number }>, D1Result, D1Result<ClaimedRow>]

  return {
    claims: claimed.results.map((row) => claimOf(row, token, now)),
    heldBack: held.results.map(({ id }) => id),
  }
}

function claimOf(row: ClaimedRow, token: string, claimedAt: Instant): Claim {
  const { url_sealed: url, authorization_sealed: authorization, secret_sealed: secret } = row

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
    sealed: url !== null && secret !== null ? { url, authorization, secret } : null,
  }
}
