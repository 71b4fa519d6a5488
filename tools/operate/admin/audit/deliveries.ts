/** Checks of changes, their deliveries, and the webhooks and alerts that receive them. */
import { ALERT_LIMIT } from '../../../../shared/alerts/alert.ts'
import { KEY_LIMIT } from '../../../../shared/db/accounts.ts'
import { FAILURES_TO_PAUSE } from '../../../../shared/db/deliveries/settle.ts'
import { TALLY_MS } from '../../../../shared/db/status.ts'
import { MAX_ATTEMPTS } from '../../../../shared/webhooks/retry.ts'
import { WEBHOOK_LIMIT } from '../../../../shared/webhooks/webhook.ts'
import { checksOf } from './check.ts'

export const changeChecks = checksOf({
  // `on_spans`: the times in which a webhook was enabled, for each of its revisions, as far as the
  // rows of the last seven days show. A delivery has the revision of its webhook, which grows with
  // every activation, edit, pause and recovery. So from the first delivery of a revision to the
  // last, the webhook was enabled and followed one pair. The current revision of an active webhook
  // lasts until now. If a webhook never changed, its revision begins a minute after its creation,
  // because a cycle at that time may have missed it. `sent` is materialised, so that SQLite builds
  // an index on it. A pair’s first value, an import and a correction make no deliveries.
  'no change was left out: each has its delivery for every webhook that was on': `
    with sent as materialized (
        select subscription_id, created_at from deliveries where type = 'automatic'),
      on_rows as (
        select d.subscription_id, d.revision, d.pair, d.created_at as from_at,
          iif(w.state = 'active' and w.revision = d.revision, ?1 ->> 'asOf', d.created_at) as to_at
        from deliveries d join subscriptions w on w.id = d.subscription_id and w.kind = 'webhook'
        where d.type in ('automatic', 'sync')
        union all
        select id, revision, pair, created_at + 60000, ?1 ->> 'asOf' from subscriptions
        where kind = 'webhook' and state = 'active' and version = 1),
      on_spans as (
        select subscription_id, pair, min(from_at) as from_at, max(to_at) as to_at
        from on_rows group by subscription_id, revision, pair)
    select s.subscription_id || ' at ' || strftime('%Y-%m-%dT%H:%M:%SZ', p.at / 1000, 'unixepoch') as id,
        d.subscription_id is null as broken
      from on_spans s
        join points p on p.pair = s.pair and p.at <= s.to_at
          and p.at > max(s.from_at, ?1 ->> 'changesSince')
        left join sent d on d.subscription_id = s.subscription_id and d.created_at = p.at
      where p.source not like 'import:%' and p.source <> 'correction'
        and exists (select 1 from points e where e.pair = p.pair and e.at < p.at)`,
  // A correction of the current value makes another sync in the same revision.
  'no change was delivered twice to a webhook, and no revision has two syncs': `
    select subscription_id || ' revision ' || revision || ' at '
          || strftime('%Y-%m-%dT%H:%M:%SZ', min(created_at) / 1000, 'unixepoch') as id,
        count(*) > 1 + iif(type = 'sync',
          (select count(*) from corrections c where c.pair = deliveries.pair), 0) as broken
      from deliveries where type in ('automatic', 'sync')
      group by subscription_id, pair, type, iif(type = 'sync', revision, created_at)`,
  'every automatic delivery has its change': `
    select d.id,
        not exists (select 1 from points p where p.pair = d.pair and p.at = d.created_at)
          and not exists (select 1 from corrections c where c.pair = d.pair
            and c.point_at = d.created_at and c.action = 'remove') as broken
      from deliveries d where type = 'automatic'
        and not exists (select 1 from alerts a where a.id = d.subscription_id)`,
})

export const deliveryChecks = checksOf({
  // Tallies stay when rows are deleted with their webhook, so a tally may be larger than the number
  // of rows.
  'no ended delivery is missing from the five-minute tallies': `
    select strftime('%Y-%m-%dT%H:%M:%SZ', e.at / 1000, 'unixepoch') as id,
       t.at is null or t.delivered < e.delivered or t.dead < e.dead as broken from (
       select resolved_at - resolved_at % ${TALLY_MS} as at, sum(status = 'delivered') as delivered,
         sum(status = 'dead') as dead
       from deliveries where status in ('delivered', 'dead') group by 1) e
     left join (select at, sum(delivered) as delivered, sum(dead) as dead from tallies group by at) t
       on t.at = e.at
     where e.at > ?1 ->> 'weekAgo'`,
  'as many deliveries are counted as outstanding as there are unfinished ones': `
    select 'counted ' || counted || ', unfinished ' || unfinished as id, counted <> unfinished as broken from (
       select (select outstanding from open_deliveries) as counted,
         (select count(*) from deliveries where resolved_at is null) as unfinished)`,
  'no delivery is stuck: leases swept, due rows sent, nothing waits in vain': `
    select id, case
       when created_at < ?1 ->> 'expired' then 1
       when status = 'sending' then lease_until < ?1 ->> 'late'
       when attempts >= ${MAX_ATTEMPTS} then 1
       when not (select is_eligible from delivery_order o where o.id = deliveries.id)
         then coalesce(look_at, created_at) < ?1 ->> 'late'
       when next_attempt_at >= ?1 ->> 'late' then 0
       when type = 'manual' then 1
       else not exists (select 1 from deliveries p where p.subscription_id = deliveries.subscription_id
         and p.type in ('automatic', 'sync') and p.redelivered = deliveries.redelivered
         and (p.id < deliveries.id or p.status = 'sending') and p.resolved_at is null) end as broken
     from deliveries where resolved_at is null`,
  'every delivery’s columns agree with its status': `
    select id, not (
       attempts between 0 and ${MAX_ATTEMPTS}
       and releases >= 0
       and (lease_token is not null) = (status = 'sending')
       and (lease_until is not null) = (status = 'sending')
       and (resolved_at is not null) = (status in ('delivered', 'dead', 'cancelled'))
       and (last_attempt_at is not null or attempts = iif(status = 'sending', 1, 0))
       and (last_attempt_at is null or attempts > 0 or redelivered)
       and case status
         when 'pending' then attempts = 0
         when 'sending' then attempts > 0
         when 'failed' then attempts > 0 and error_type is not null
         when 'delivered' then attempts > 0 and code between 200 and 299 and error_type is null
         when 'dead' then
           attempts = ${MAX_ATTEMPTS} or releases > ${MAX_ATTEMPTS} or error_type = 'expired'
         else 1 end) as broken
     from deliveries`,
  // A row was first sent only after all earlier rows of its webhook had ended. During its first
  // attempt only its lease is known.
  'each webhook’s deliveries went out in order, one at a time': `
    select id, coalesce(last_attempt_at, lease_until, 9e15) < before - 60000 as broken from (
       select id, last_attempt_at, lease_until, coalesce(max(coalesce(resolved_at, 9e15)) over (
         partition by subscription_id order by id rows between unbounded preceding and 1 preceding), 0)
         as before
       from deliveries where type <> 'manual' and not redelivered)`,
  'every webhook’s columns agree with its state': `
    select id, not (
       (state in ('active', 'capacity') or sync is null) and (state <> 'capacity' or sync = 'owed')
       and version >= 1 and revision between 1 and version
       and consecutive_failures >= 0
       and case when state = 'failure' then consecutive_failures >= ${FAILURES_TO_PAUSE}
         when state in ('active', 'capacity') then consecutive_failures < ${FAILURES_TO_PAUSE}
         when state = 'inherited' then source = 'v1' else 1 end) as broken
     from subscriptions`,
  // A redelivery does not count as a failure or a success.
  'no webhook counts failures after its last automatic delivery succeeded': `
    select w.id, w.consecutive_failures > 0 and d.status = 'delivered' and not d.redelivered as broken
     from (select subscription_id, max(id) as id from deliveries
         where type = 'automatic' and attempts > 0 group by subscription_id) last
       join deliveries d on d.id = last.id join subscriptions w on w.id = last.subscription_id`,
  [`no account is over its ${WEBHOOK_LIMIT} webhooks, nor has more than ${WEBHOOK_LIMIT} on`]: `
    select account_id as id, sum(source = 'v2') > ${WEBHOOK_LIMIT}
        or sum(state in ('active', 'capacity')) > ${WEBHOOK_LIMIT}
       as broken
     from subscriptions where kind = 'webhook' group by account_id`,
  [`no account is over its ${ALERT_LIMIT} alerts`]: `
    select account_id as id, count(*) > ${ALERT_LIMIT} as broken from subscriptions
     where kind = 'alert' group by account_id`,
  'every alert has its rule': `
    select w.id, a.id is null as broken from subscriptions w left join alerts a on a.id = w.id
     where w.kind = 'alert'`,
  [`no account is over its ${KEY_LIMIT} keys, inherited ones apart`]: `
    select k.account_id as id, count(*) > ${KEY_LIMIT} + (select count(*) from import_marks m
       where m.account_id = k.account_id and m.kind = 'key') as broken
     from api_keys k group by k.account_id`,
})
