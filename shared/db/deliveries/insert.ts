import { MINUTE_MS } from '../../argentine-time.ts'
import { deliveryIdSql } from '../../webhooks/delivery-id.ts'
import { isShown } from '../is-shown.ts'
import { OUTSTANDING } from './outstanding.ts'
import { OPEN } from './open.ts'
import { repeatPayloadSql } from './payload-sql.ts'

const COLUMNS = `delivery_id, subscription_id, account_id, revision, pair, destination, type, status,
  attempts, releases, body, created_at, next_attempt_at`

/** The head of an insertion of deliveries whose hints are sent after it. */
export const INSERT = `insert into deliveries (${COLUMNS})`

/** The same without hints: from the instant in `look_at`, the last column, a sweep takes the rows. */
export const INSERT_UNHINTED = `insert into deliveries (${COLUMNS}, look_at)`

/** How far the clocks of those who make deliveries may be apart, for a row to be found by its instant. */
export const CLOCKS_APART_MS = 10 * MINUTE_MS

/**
 * The most tests of a webhook or an alert that may be open. Its owner asks for as many as they like,
 * of a receiver that never answers too, and must not use up the capacity of all.
 */
export const OPEN_TESTS = 50

/** Whether another test of a webhook may be made. */
export function mayBeTested(subscriptionId: string): string {
  return `(select count(*) from deliveries d indexed by deliveries_tests
    where d.subscription_id = ${subscriptionId} and d.${OPEN} and d.type = 'manual') < ${OPEN_TESTS}`
}

/**
 * Whether a webhook has no delivery of an id that is made at `?1`. Only rows of about that instant
 * and later ones are looked at, newest first: a statement that is repeated finds its row at once.
 */
export function isNotMade(subscriptionId: string, deliveryId: string): string {
  const before = `select d.id from deliveries d
    where d.subscription_id = ${subscriptionId} and d.created_at < ?1 - ${CLOCKS_APART_MS} order by d.id desc limit 1`
  return `not exists (select 1 from deliveries d where d.subscription_id = ${subscriptionId}
    and d.id > coalesce((${before}), 0) and d.delivery_id = ${deliveryId})`
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
