import type { Instant } from '../../argentine-time.ts'

/** Delivery rows that are not finished. Written as the partial indexes say it, or they go unused. */
export const OPEN = `status in ('pending', 'sending', 'failed')`

/** How long one attempt may hold a row: its deadline of ten seconds, and as much again. */
export const LEASE_MS = 20_000

/** How long after an announcement the sweeper looks at a row again. */
export const LOOK_AGAIN_MS = 30_000

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
export const FITS = `(deliveries.webhook_id = 'system' or exists (
  select 1 from webhooks w where w.id = deliveries.webhook_id and ${ALLOWS}))`

/** The same as a table of one row and the column `fits`, for statements that ask twice. */
export const FITTING = `(select deliveries.webhook_id = 'system' or coalesce(${ALLOWS}, 0) and
    w.id is not null as fits
  from (select 1) left join webhooks w on w.id = deliveries.webhook_id)`

/** Two questions, for an index answers each with no row read; of `type in (…)` it would read four. */
const noEarlier = (type: string) =>
  `not exists (select 1 from deliveries p where p.webhook_id = deliveries.webhook_id
    and p.type = '${type}' and p.id < deliveries.id and p.${OPEN})`

/** Whether no earlier delivery of the webhook is open: per webhook, in id order, one at a time. */
export const FIRST = `(deliveries.type = 'manual'
  or (${noEarlier('automatic')} and ${noEarlier('sync')}))`

/** SQL of the first open row in the order of a webhook; an id that no row has when there is none. */
export function headOf(webhookId: string): string {
  const first = (type: string) =>
    `coalesce((select f.id from deliveries f where f.webhook_id = ${webhookId}
      and f.type = '${type}' and f.${OPEN} order by f.id limit 1), 9e15)`
  return `min(${first('automatic')}, ${first('sync')})`
}
