import { deliveryIdSql } from '../../webhooks/delivery-id.ts'
import { isShown } from '../is-shown.ts'
import { OUTSTANDING } from './outstanding.ts'
import { openOfAccount } from './open.ts'
import { repeatPayloadSql } from './payload-sql.ts'

const COLUMNS = `delivery_id, subscription_id, account_id, revision, pair, destination, type, status,
  attempts, releases, body, created_at, next_attempt_at`

/** The head of an insertion of deliveries whose hints are sent after it. */
export const INSERT = `insert into deliveries (${COLUMNS})`

/** The same without hints: from the instant in `look_at`, the last column, a sweep takes the rows. */
export const INSERT_UNHINTED = `insert into deliveries (${COLUMNS}, look_at)`

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

/**
 * The insertion of deliveries that repeat the current value, syncs or tests: one for each webhook
 * `w` that meets `where`, while there is capacity and the pair has a quote. `?1` is the instant and
 * `?2` the capacity; `where` may use `?3` and up.
 */
export function insertRepeat(kind: 'sync' | 'manual', where: string): string {
  return `${INSERT}
    select ${deliveryIdSql('?1')}, w.id, w.account_id, w.revision, w.pair, w.destination,
      '${kind}', 'pending', 0, 0, ${repeatPayloadSql(kind, '?1')}, ?1, ?1
    from subscriptions w join current_quotes q on q.pair = w.pair
    where ${where} and ${isShown('webhook', 'w')} and ${OUTSTANDING} < ?2
    returning id, delivery_id as deliveryId`
}
