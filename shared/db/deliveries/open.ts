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

const ALLOWS = `(deliveries.type = 'manual'
  or iif(deliveries.redelivery is null, w.revision = deliveries.revision and ${IS_ON},
    ${TAKES_REDELIVERIES}))`

/**
 * Whether a waiting row may still go out: the system's always, a test while its webhook exists, a
 * redelivery while it is not paused, others while it has the same revision, too (decisions 22, 24,
 * 25, 43 and 77: what a pause cancels).
 */
export const IS_ELIGIBLE = `(deliveries.subscription_id = 'system' or exists (
  select 1 from subscriptions w where w.id = deliveries.subscription_id and ${ALLOWS}))`

/** The same as a table of one row and the column `is_eligible`, for statements that ask twice. */
export const ELIGIBILITY = `(select deliveries.subscription_id = 'system' or coalesce(${ALLOWS}, 0) and
    w.id is not null as is_eligible
  from (select 1) left join subscriptions w on w.id = deliveries.subscription_id)`

/** Whether a row `d` is in its webhook's order: tests and redeliveries are not. */
const inOrder = (d: string) => `${d}.type <> 'manual' and ${d}.redelivery is null`

/**
 * Whether a row `p` tells of all before it in its webhook's order. A webhook's rows are claimed one
 * at a time, by id, so what an attempt ended has no open row before it. Rows that ended without an
 * attempt, as `cancelled` or `expired`, say nothing. So an index of all rows by webhook answers what
 * is open, and open rows need none of their own.
 */
const TELLS = `${inOrder('p')} and p.status <> 'cancelled' and p.error_type is not 'expired'`

/** Open redeliveries `p` of a subscription. */
const redelivered = (subscriptionId: string) => `deliveries p indexed by deliveries_redelivered
  where p.subscription_id = ${subscriptionId} and p.redelivery is not null and p.${OPEN}`

/**
 * Whether a row is the first of its order, which go out one at a time, by id: that of its webhook, or
 * that of its redeliveries, of which an earlier one may be opened while one is sent. Tests and what is
 * redelivered alone are in none.
 */
export const FIRST = `(deliveries.type = 'manual' or case deliveries.redelivery
  when 'alone' then 1
  when 'in order' then not exists (select 1 from ${redelivered('deliveries.subscription_id')}
    and p.redelivery = 'in order' and (p.id < deliveries.id
      or (p.status = 'sending' and p.id <> deliveries.id)))
  else coalesce((
    select p.resolved_at is not null from deliveries p
    where p.subscription_id = deliveries.subscription_id and p.id < deliveries.id and ${TELLS}
    order by p.id desc limit 1), 1) end)`

/** SQL of the id of the first open row of a webhook's order from an id on, null without one. */
export function firstOpen(subscriptionId: string, from: string): string {
  return `(select f.id from deliveries f where f.subscription_id = ${subscriptionId} and f.id >= ${from}
    and ${inOrder('f')} and f.${OPEN} order by f.id limit 1)`
}

/** SQL of the id of the first open row of the redeliveries that go out in order, null without one. */
export function firstRedelivery(subscriptionId: string): string {
  return `(select p.id from ${redelivered(subscriptionId)} and p.redelivery = 'in order'
    order by p.id limit 1)`
}

/** SQL of how many redeliveries of a subscription are open. */
export function openRedeliveries(subscriptionId: string): string {
  return `(select count(*) from ${redelivered(subscriptionId)})`
}

/** SQL of an id with no open row of a webhook's order up to it. Reads what is open, and one more. */
export function endedUpTo(subscriptionId: string): string {
  return `coalesce((select p.id from deliveries p where p.subscription_id = ${subscriptionId}
    and ${TELLS} and p.resolved_at is not null order by p.id desc limit 1), 0)`
}

/** SQL of the id of a webhook's first open row, null without one. */
export function headOf(subscriptionId: string): string {
  return firstOpen(subscriptionId, endedUpTo(subscriptionId))
}

/** SQL of the newest row of a webhook's order, with columns or conditions of a row `d`. */
export function newestOf(subscriptionId: string, columns: string): string {
  return `(select ${columns} from deliveries d where d.subscription_id = ${subscriptionId}
    and ${inOrder('d')} order by d.id desc limit 1)`
}
