import type { Instant } from '../../argentine-time.ts'
import { pairById } from '../../market/catalog.ts'
import type { Price } from '../../market/price.ts'
import { deliveryIdSql } from '../../webhooks/delivery-id.ts'
import { repeatPayload } from '../../webhooks/payload.ts'
import type { Statement } from '../named-batch.ts'
import { isShown } from '../is-shown.ts'
import { OUTSTANDING, reserveInserted } from './counts.ts'
import { headOf, OPEN, openOfAccount } from './open.ts'

/** The head of an insertion of deliveries whose hints are sent after it. */
export const INSERT = `insert into deliveries (delivery_id, subscription_id, account_id, revision, pair,
  destination, type, status, attempts, releases, body, created_at, next_attempt_at)`

/** SQL of the rows `d` of a subscription with a delivery id that was made at an instant: one, or none. */
export const withDeliveryId = (subscriptionId: string, instant: string, deliveryId: string) =>
  `d.subscription_id = ${subscriptionId} and d.created_at = ${instant} and d.delivery_id = ${deliveryId}`

/** The most tests of an account that may be open, for the capacity is everybody's (decision 73). */
export const OPEN_TESTS = 50

/** Whether an account may make another test. */
export const mayTest = (accountId: string) =>
  `${openOfAccount(accountId, `p.type = 'manual'`)} < ${OPEN_TESTS}`

/** The statement that reads the values in effect, for bodies that repeat them. */
export function findValues(db: D1Database): D1PreparedStatement {
  return db.prepare(`select pair, buy, sell, updated_at as updatedAt from current_quotes`)
}

/** When deliveries are made, for how many there is capacity, and the values, as they were read before. */
interface Making {
  now: Instant
  capacity: number
  values: D1Result
}

/**
 * Inserts syncs or tests, which repeat the current value: one for each webhook `w` that meets `where`,
 * while there is capacity and the value of its body is in effect. In `where` stand, from `?4` on, those given.
 */
export function insertRepeats(
  db: D1Database,
  kind: 'sync' | 'manual',
  where: string,
  { now, capacity, values }: Making,
  ...given: string[]
): D1PreparedStatement {
  const read = values.results as { pair: number; buy: Price; sell: Price; updatedAt: Instant }[]
  const bodies = read.flatMap((value) => {
    const pair = pairById(value.pair)
    return pair ? [{ ...value, body: repeatPayload(kind, pair, value, now) }] : []
  })
  const insert = db.prepare(
    `${INSERT}
     select ${deliveryIdSql('?1')}, w.id, w.account_id, w.revision, w.pair, w.destination,
       '${kind}', 'pending', 0, 0, b.value ->> 'body', ?1, ?1
     from subscriptions w join current_quotes q on q.pair = w.pair join json_each(?3) b
       on b.value ->> 'pair' = q.pair and b.value ->> 'updatedAt' = q.updated_at
         and b.value ->> 'buy' = q.buy and b.value ->> 'sell' = q.sell
     where ${where} and ${isShown('webhook', 'w')} and ${OUTSTANDING} < ?2
     returning id, delivery_id as deliveryId`,
  )
  return insert.bind(now, capacity, JSON.stringify(bodies), ...given)
}

/**
 * An active webhook of a pair with a quote is owed a sync, and it was not made for this revision yet
 * (decision 42: how syncs end).
 */
const OWED_NOW = `needs_sync = 1 and synced_revision <> revision and state = 'active'
  and exists (select 1 from current_quotes q where q.pair = subscriptions.pair)`

/** Suspended for lack of capacity, with every earlier delivery ended. */
const SUSPENDED = `state = 'capacity' and ${headOf('subscriptions.id')} is null`

const whereRoom = (condition: string) =>
  `select id, account_id from subscriptions where ${OUTSTANDING} < ?1 and ${condition}`

/**
 * The statement that lists at most `limit` webhooks that are owed a sync or suspended, as many as there
 * is capacity for. Every account gets one before any gets two, in random order, so that nobody is
 * always the last. Without capacity it reads no webhook.
 */
export function listOwing(
  db: D1Database,
  capacity: number,
  limit: number,
): Statement<{ id: string }> {
  const list = db.prepare(
    `select id from (
       select id, row_number() over (partition by account_id order by random()) as turn
       from (${whereRoom(SUSPENDED)} union all ${whereRoom(OWED_NOW)}))
     order by turn, random() limit max(0, min(?2, ?1 - ${OUTSTANDING}))`,
  )
  return list.bind(capacity, limit)
}

/** The first of the listed that meet a condition, as many as there is capacity for. */
const chosen = (condition: string, list: string) =>
  `(select subscriptions.id from json_each(${list}) v join subscriptions on subscriptions.id = v.value
    where ${condition} limit max(0, ?2 - ${OUTSTANDING}))`

/**
 * Resumes suspended webhooks of `ids` while there is capacity, each owed a sync of a new revision,
 * and makes the syncs that are owed, of the values that were read before: once per revision, and
 * where the value has changed since it stays owed. The second statement returns their ids. Of
 * parallel sweeps one makes each.
 */
export function resumeStatements(
  db: D1Database,
  ids: readonly string[],
  making: Making,
): D1PreparedStatement[] {
  const list = JSON.stringify(ids)
  const resume = db.prepare(
    `update subscriptions set state = 'active', version = version + 1, revision = revision + 1,
       needs_sync = 1
     where id in ${chosen(SUSPENDED, '?1')}`,
  )
  const mark = db.prepare(
    `update subscriptions set synced_revision = revision
     where id in (select value from json_each(?2)) and ${OWED_NOW}
       and exists (select 1 from deliveries d where d.subscription_id = subscriptions.id
         and d.${OPEN} and d.type = 'sync' and d.revision = subscriptions.revision
         and d.created_at = ?1)`,
  )
  return [
    resume.bind(list, making.capacity),
    insertRepeats(db, 'sync', `w.id in ${chosen(OWED_NOW, '?4')}`, making, list),
    reserveInserted(db),
    mark.bind(making.now, list),
  ]
}
