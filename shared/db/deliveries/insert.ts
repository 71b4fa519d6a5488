import type { Instant } from '../../argentine-time.ts'
import { pairById } from '../../market/catalog.ts'
import type { Price } from '../../market/price.ts'
import { deliveryIdSql } from '../../webhooks/delivery-id.ts'
import { repeatPayload } from '../../webhooks/payload.ts'
import { isShown } from '../is-shown.ts'
import { OUTSTANDING } from './counts.ts'
import { openOfAccount } from './open.ts'

const COLUMNS = `delivery_id, subscription_id, account_id, revision, pair, destination, type, status,
  attempts, releases, body, created_at, next_attempt_at`

/** The head of an insertion of deliveries whose hints are sent after it. */
export const INSERT = `insert into deliveries (${COLUMNS})`

/** SQL of the rows `d` of a subscription with a delivery id that was made at an instant: one, or none. */
export function withDeliveryId(
  subscriptionId: string,
  instant: string,
  deliveryId: string,
): string {
  return `d.subscription_id = ${subscriptionId} and d.created_at = ${instant}
    and d.delivery_id = ${deliveryId}`
}

/**
 * The most tests of an account that may be open. It asks for as many as it likes, of receivers that
 * never answer too, and must not use up the capacity of all.
 */
export const OPEN_TESTS = 50

/** Whether an account may make another test. */
export function mayTest(accountId: string): string {
  return `${openOfAccount(accountId, `p.type = 'manual'`)} < ${OPEN_TESTS}`
}

/** The statement that reads the values in effect, for `repeatBodies`. */
export function findValues(db: D1Database): D1PreparedStatement {
  return db.prepare(`select pair, buy, sell, updated_at as updatedAt from current_quotes`)
}

interface ValueRow {
  pair: number
  buy: Price
  sell: Price
  updatedAt: Instant
}

/** The bodies that syncs or tests of these values have at an instant, as `insertRepeat` takes them. */
export function repeatBodies(
  kind: 'sync' | 'manual',
  { results }: D1Result,
  madeAt: Instant,
): string {
  return JSON.stringify(
    (results as ValueRow[]).flatMap(({ pair: id, ...value }) => {
      const pair = pairById(id)
      return pair ? [{ ...value, pair: id, body: repeatPayload(kind, pair, value, madeAt) }] : []
    }),
  )
}

/**
 * The insertion of deliveries that repeat the current value, syncs or tests: one for each webhook
 * `w` that meets `where`, while there is capacity and the value of its body is in effect. `?1` is the
 * instant, `?2` the capacity and `?3` the bodies; `where` may use `?4` and up.
 */
export function insertRepeat(kind: 'sync' | 'manual', where: string): string {
  return `${INSERT}
    select ${deliveryIdSql('?1')}, w.id, w.account_id, w.revision, w.pair, w.destination,
      '${kind}', 'pending', 0, 0, b.value ->> 'body', ?1, ?1
    from subscriptions w join current_quotes q on q.pair = w.pair join json_each(?3) b
      on b.value ->> 'pair' = q.pair and b.value ->> 'updatedAt' = q.updated_at
        and b.value ->> 'buy' = q.buy and b.value ->> 'sell' = q.sell
    where ${where} and ${isShown('webhook', 'w')} and ${OUTSTANDING} < ?2
    returning id, delivery_id as deliveryId`
}
