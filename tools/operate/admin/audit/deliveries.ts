/** Delivery rows, each by itself and in their webhook’s order. */
import { IS_ELIGIBLE, OPEN, RETENTION_MS } from '../../../../shared/db/deliveries/open.ts'
import { MAX_ATTEMPTS } from '../../../../shared/webhooks/retry.ts'
import { type Check, CLOCK_SLACK_MS } from './check.ts'
import { TALLIES, TALLY_MS } from '../../../../shared/db/deliveries/counts.ts'
import { DELIVERY_OF_PAGE, sqlCheck, sqlCheckByAccount, utc } from './sql-check.ts'

/**
 * How late a row may be. The sweeper checks each within a minute and a half. A backlog behind a
 * subscription that hangs takes longer.
 */
const PATIENCE_MS = 10 * 60_000

const LATE = `(select as_of from given) - ${PATIENCE_MS}`

export const deliveryChecks: readonly Check[] = [
  sqlCheck(
    'no ended delivery is missing from the five-minute tallies',
    // Rows disappear with their webhook and tallies stay, so a tally is at least the number of rows.
    `select ${utc('e.at')}, t.at is null or t.delivered < e.delivered or t.dead < e.dead from (
       select resolved_at - resolved_at % ${TALLY_MS} as at, sum(status = 'delivered') as delivered,
         sum(status = 'dead') as dead
       from deliveries where status in ('delivered', 'dead') group by 1) e
     left join (select at, sum(delivered) as delivered, sum(dead) as dead from ${TALLIES} group by at) t
       on t.at = e.at
     where e.at > (select now from given) - ${RETENTION_MS}`,
  ),
  sqlCheck(
    'as many deliveries are counted as outstanding as there are unfinished ones',
    `select 'counted ' || counted || ', unfinished ' || unfinished, counted <> unfinished from (
       select (select outstanding from open_deliveries) as counted,
         (select count(*) from deliveries where ${OPEN}) as unfinished)`,
  ),
  sqlCheck(
    'no delivery is stuck: leases swept, due rows sent, nothing waits in vain',
    `select id, case
       when created_at < ${LATE} - ${RETENTION_MS} then 1
       when status = 'sending' then lease_until < ${LATE}
       when attempts >= ${MAX_ATTEMPTS} then 1
       when not ${IS_ELIGIBLE} then coalesce(look_at, created_at) < ${LATE}
       when next_attempt_at >= ${LATE} then 0
       when type = 'manual' or redelivery = 'alone' then 1
       else not exists (select 1 from deliveries p where p.subscription_id = deliveries.subscription_id
         and p.type in ('automatic', 'sync') and p.redelivery is deliveries.redelivery
         and (p.id < deliveries.id or p.status = 'sending') and p.${OPEN}) end
     from deliveries where ${OPEN}`,
  ),
  sqlCheckByAccount(
    'every delivery’s columns agree with its status',
    `select id, not (
       attempts between 0 and ${MAX_ATTEMPTS}
       and releases >= 0
       and (lease_token is not null) = (status = 'sending')
       and (lease_until is not null) = (status = 'sending')
       and (resolved_at is not null) = (status in ('delivered', 'dead', 'cancelled'))
       and (last_attempt_at is not null or attempts = 0)
       and (last_attempt_at is null or attempts > 0 or redelivery is not null)
       and case status
         when 'pending' then attempts = 0
         when 'sending' then attempts > 0
         when 'failed' then attempts > 0 and error_type is not null
         when 'delivered' then attempts > 0 and code between 200 and 299 and error_type is null
         when 'dead' then
           attempts = ${MAX_ATTEMPTS} or releases > ${MAX_ATTEMPTS} or error_type = 'expired'
         else 1 end)
     from deliveries where ${DELIVERY_OF_PAGE}`,
  ),
  sqlCheckByAccount(
    'each webhook’s deliveries went out in order, one at a time',
    // A row was first sent only after all rows before it had ended.
    `select id, attempts > 0 and last_attempt_at < before - ${CLOCK_SLACK_MS} from (
       select id, attempts, last_attempt_at, coalesce(max(coalesce(resolved_at, 9e15)) over (
         partition by subscription_id order by id rows between unbounded preceding and 1 preceding), 0)
         as before
       from deliveries where ${DELIVERY_OF_PAGE} and type <> 'manual' and redelivery is null)`,
  ),
  sqlCheckByAccount(
    'no delivery’s times run backwards',
    `select id, last_attempt_at < created_at - ${CLOCK_SLACK_MS}
       or resolved_at < coalesce(last_attempt_at, created_at) - ${CLOCK_SLACK_MS}
       or max(created_at, coalesce(last_attempt_at, 0), coalesce(resolved_at, 0))
         > (select now from given) + ${CLOCK_SLACK_MS}
     from (select id, created_at, coalesce(last_attempt_at, created_at) as last_attempt_at,
         coalesce(resolved_at, last_attempt_at, created_at) as resolved_at
       from deliveries where ${DELIVERY_OF_PAGE})`,
  ),
]
