import { DAY_MS } from '../../argentine-time.ts'

/**
 * Delivery rows that are not finished, in the words of the partial indexes, or SQLite would not use
 * them. No status is named: SQLite writes each index whose condition names a column that changes.
 */
export const OPEN = `resolved_at is null`

/** How long one attempt may hold a row: its deadline of ten seconds, and as much again. */
export const LEASE_MS = 20_000

/** How long after its hint, or the last sweep that saw it, a sweep looks at a row. */
export const STALE_MS = 30_000

/** Rows live seven days, whatever became of them. */
export const RETENTION_MS = 7 * DAY_MS

/** The states in which a subscription is not paused. */
const IS_ON = `w.state in ('active', 'capacity')`

/** Whether a subscription `w` takes redeliveries: it is on, and has a URL. */
export const TAKES_REDELIVERIES = `w.channel = 'https' and ${IS_ON}`

/**
 * Whether a waiting row may still go out: the system's always, a redelivery while its subscription is
 * on, a test while there is one, others while it is on and has their revision (decisions 22 to 25, 77).
 */
export const IS_ELIGIBLE = `(deliveries.subscription_id = 'system' or exists (
  select 1 from subscriptions w where w.id = deliveries.subscription_id
    and iif(deliveries.redelivery is not null, ${TAKES_REDELIVERIES},
      deliveries.type = 'manual' or (w.revision = deliveries.revision and ${IS_ON}))))`

const openOf = (subscriptionId: string, condition: string) =>
  `deliveries p where p.subscription_id = ${subscriptionId} and p.${OPEN} and ${condition}`

/** Of those the order of a subscription, without tests; and that of its redeliveries. */
const IN_ORDER = `p.type <> 'manual' and p.redelivery is null`
const AGAIN_IN_ORDER = `p.redelivery = 'in order'`

const firstOf = (rows: string) => `(select p.id from ${rows} order by p.id limit 1)`

/** SQL of the id of the first open row of a subscription's order; null without one. */
export function headOf(subscriptionId: string): string {
  return firstOf(openOf(subscriptionId, IN_ORDER))
}

/** The same of the order of a row, open or not. One that is in none is its own first. */
export function headOfRow(row: string): string {
  const id = `${row}.subscription_id`
  return `case when ${row}.redelivery = 'in order' then ${firstOf(openOf(id, AGAIN_IN_ORDER))}
    when ${row}.redelivery is null and ${row}.type <> 'manual' then ${headOf(id)}
    else ${row}.id end`
}

/** Whether another redelivery of the order is being sent: an earlier one may be opened meanwhile. */
export const IS_BESIDE_ANOTHER = `(deliveries.redelivery is 'in order' and exists (
  select 1 from ${openOf('deliveries.subscription_id', AGAIN_IN_ORDER)} and p.status = 'sending'))`

/** SQL of how many rows `p` of an account's subscriptions are open and meet a condition. */
export function openOfAccount(accountId: string, condition: string): string {
  return `(select count(*) from subscriptions o join deliveries p on p.subscription_id = o.id
    where o.account_id = ${accountId} and p.${OPEN} and ${condition})`
}
