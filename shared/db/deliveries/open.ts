import type { Instant } from '../../argentine-time.ts'

/**
 * Delivery rows that are not finished: `pending`, `sending` or `failed`. The text is that of the
 * partial indexes, or SQLite would not use them. It names no status, for a claim changes that, and
 * SQLite writes every index whose condition names a column that changes.
 */
export const OPEN = `resolved_at is null`

/** How long one attempt may hold a row: its deadline of ten seconds, and as much again. */
export const LEASE_MS = 20_000

/** How long after its hint, or the last sweep that saw it, a sweep looks at a row. */
export const STALE_MS = 30_000

/** Rows live seven days, whatever became of them. */
export const RETENTION_MS = 7 * 24 * 60 * 60 * 1000

/** Whether a row of that age is not sent any more at an instant: it ends `expired`. */
export function isTooOld(createdAt: Instant, at: Instant): boolean {
  return createdAt <= at - RETENTION_MS
}

/** The states in which a subscription is not paused. */
const IS_ON = `w.state in ('active', 'capacity')`

/** Whether a subscription `w` takes redeliveries: it is on, and has a URL. */
export const TAKES_REDELIVERIES = `w.channel = 'https' and ${IS_ON}`

const ALLOWS = `iif(deliveries.redelivery is not null, ${TAKES_REDELIVERIES},
  deliveries.type = 'manual' or (w.revision = deliveries.revision and ${IS_ON}))`

/**
 * Whether a waiting row may still go out: the system's always, a redelivery while its subscription is not
 * paused, a test while there is one, others while it has the same revision, too (decisions 22, 24,
 * 25, 43 and 77: what a pause cancels).
 */
export const IS_ELIGIBLE = `(deliveries.subscription_id = 'system' or exists (
  select 1 from subscriptions w where w.id = deliveries.subscription_id and ${ALLOWS}))`

/** The same as a table of one row and the column `is_eligible`, for statements that ask twice. */
export const ELIGIBILITY = `(select ${IS_ELIGIBLE} as is_eligible)`

/** Open rows `p` of a subscription, of its order: tests and redeliveries are not in it. */
const ordered = (
  subscriptionId: string,
) => `deliveries p where p.subscription_id = ${subscriptionId}
  and p.${OPEN} and p.type <> 'manual' and p.redelivery is null`

/** Open redeliveries `p` of a subscription that go out in an order of their own. */
const redelivered = (
  subscriptionId: string,
) => `deliveries p where p.subscription_id = ${subscriptionId}
  and p.${OPEN} and p.redelivery = 'in order'`

/**
 * Whether a row is the first of its order, which go out one at a time, by id: that of its webhook, or
 * that of its redeliveries, of which an earlier one may be opened while one is sent. Tests and what is
 * redelivered alone are in none.
 */
export const FIRST = `case
  when deliveries.redelivery = 'in order' then not exists (
    select 1 from ${redelivered('deliveries.subscription_id')} and (p.id < deliveries.id
      or (p.status = 'sending' and p.id <> deliveries.id)))
  when deliveries.redelivery is null and deliveries.type <> 'manual' then not exists (
    select 1 from ${ordered('deliveries.subscription_id')} and p.id < deliveries.id)
  else 1 end`

const firstOf = (rows: string) => `(select p.id from ${rows} order by p.id limit 1)`

/** SQL of the id of the first open row of a subscription's order; null without one. */
export function headOf(subscriptionId: string): string {
  return firstOf(ordered(subscriptionId))
}

/** The same of its redeliveries, when a condition holds. */
export function headOfOrder(subscriptionId: string, isOfRedeliveries: string): string {
  return `iif(${isOfRedeliveries}, ${firstOf(redelivered(subscriptionId))}, ${headOf(subscriptionId)})`
}

/** SQL of how many rows `p` of an account's subscriptions are open and meet a condition. */
export function openOfAccount(accountId: string, condition: string): string {
  return `(select count(*) from subscriptions o join deliveries p on p.subscription_id = o.id
    where o.account_id = ${accountId} and p.${OPEN} and ${condition})`
}
