import type { Instant } from '../../argentine-time.ts'

/**
 * Delivery rows that are not finished: `pending`, `sending` or `failed`. The text is that of the
 * partial indexes, or SQLite would not use them. It names no status, for a claim changes that, and
 * SQLite writes every index whose condition names a column that changes.
 */
export const OPEN = `resolved_at is null`

/** How long one attempt may hold a row: its deadline of ten seconds, and as much again. */
export const LEASE_MS = 20_000

/** How long after its hint, or the last sweep that saw it, a row is stale. */
export const STALE_MS = 30_000

/** Rows live seven days, whatever became of them. */
export const RETENTION_MS = 7 * 24 * 60 * 60 * 1000

/** Whether a row of that age is not sent any more at an instant: it ends `expired`. */
export function isTooOld(createdAt: Instant, at: Instant): boolean {
  return createdAt <= at - RETENTION_MS
}

const ALLOWS = `(deliveries.type = 'manual'
  or (w.revision = deliveries.revision and w.state in ('active', 'capacity')))`

/**
 * Whether a waiting row may still go out: the system's always, a test while its webhook exists,
 * others while their webhook has the same revision and is not paused (decisions 22, 24, 25, 43).
 */
export const IS_ELIGIBLE = `(deliveries.webhook_id = 'system' or exists (
  select 1 from webhooks w where w.id = deliveries.webhook_id and ${ALLOWS}))`

/** The same as a table of one row and the column `is_eligible`, for statements that ask twice. */
export const ELIGIBILITY = `(select deliveries.webhook_id = 'system' or coalesce(${ALLOWS}, 0) and
    w.id is not null as is_eligible
  from (select 1) left join webhooks w on w.id = deliveries.webhook_id)`

/** One question for each type: an index answers it without a row read. `type in (…)` reads four. */
const noEarlier = (type: string) =>
  `not exists (select 1 from deliveries p where p.webhook_id = deliveries.webhook_id
    and p.type = '${type}' and p.id < deliveries.id and p.${OPEN})`

/** Whether no earlier delivery of the webhook is open. A webhook's go out one at a time, by id. */
export const FIRST = `(deliveries.type = 'manual'
  or (${noEarlier('automatic')} and ${noEarlier('sync')}))`

/** SQL of the id of a webhook's first open row; without one, an id that no row has. */
export function headOf(webhookId: string): string {
  const first = (type: string) =>
    `coalesce((select f.id from deliveries f where f.webhook_id = ${webhookId}
      and f.type = '${type}' and f.${OPEN} order by f.id limit 1), 9e15)`
  return `min(${first('automatic')}, ${first('sync')})`
}
