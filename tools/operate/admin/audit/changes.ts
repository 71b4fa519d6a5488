/**
 * Each change has exactly its deliveries, as far as the rows of the last seven days can tell. A
 * delivery carries the revision of its webhook, which grows with every activation, edit, pause and
 * recovery: from the first to the last delivery of a revision the webhook was on, followed one
 * pair, and must have one delivery for each change in between. The current revision of an active
 * webhook goes up to now, and that of one that was never touched begins when it was made.
 */
import { RETENTION_MS } from '../../../../shared/db/deliveries/open.ts'
import type { Check } from './check.ts'
import { DELIVERY_OF_PAGE, OF_PAGE, sqlCheckByAccount, utc } from './sql-check.ts'

/** A webhook made around the time of a cycle may or may not have missed its changes. */
const MARGIN_MS = 60_000

/** From when to when a webhook was on, by revision: `from_at` is exclusive. */
const SPANS = `select subscription_id, revision, pair, min(from_at) as from_at, max(to_at) as to_at from (
    select d.subscription_id, d.revision, d.pair, d.created_at as from_at,
        case when w.state = 'active' and w.revision = d.revision then (select as_of from given)
          else d.created_at end as to_at
      from deliveries d join subscriptions w on w.id = d.subscription_id and w.kind = 'webhook'
      where d.${DELIVERY_OF_PAGE} and d.type in ('automatic', 'sync')
    union all
    select id, revision, pair, created_at + ${MARGIN_MS}, (select as_of from given) from subscriptions
      where ${OF_PAGE} and kind = 'webhook' and state = 'active' and version = 1
  ) group by subscription_id, revision, pair`

/** Materialised, so that SQLite builds an index on it: every change looks it up. */
const SENT = `sent as materialized (select subscription_id, created_at from deliveries
  where ${DELIVERY_OF_PAGE} and type = 'automatic')`

/** A change that made events: not a pair’s first value, an import or a correction. */
const EVENTS = `p.source not like 'import:%' and p.source <> 'correction'
  and exists (select 1 from points e where e.pair = p.pair and e.at < p.at)`

export const changeChecks: readonly Check[] = [
  sqlCheckByAccount(
    'no change was left out: each has its delivery for every webhook that was on',
    `with ${SENT}
     select s.subscription_id || ' at ' || ${utc('p.at')}, d.subscription_id is null
     from (${SPANS}) s
       join points p on p.pair = s.pair and p.at <= s.to_at and p.at > max(s.from_at,
         (select since from given), (select now from given) - ${RETENTION_MS})
       left join sent d on d.subscription_id = s.subscription_id and d.created_at = p.at
     where ${EVENTS}`,
  ),
  sqlCheckByAccount(
    'no change was delivered twice: one delivery for each webhook',
    `select subscription_id || ' at ' || ${utc('created_at')}, count(*) > 1
     from deliveries where ${DELIVERY_OF_PAGE} and type = 'automatic'
     group by subscription_id, pair, created_at`,
  ),
  sqlCheckByAccount(
    'every automatic delivery has its change',
    `select d.id, not exists (select 1 from points p where p.pair = d.pair and p.at = d.created_at)
       and not exists (select 1 from corrections c where c.pair = d.pair
         and c.point_at = d.created_at and c.action = 'remove')
     from deliveries d where ${DELIVERY_OF_PAGE} and type = 'automatic'
       and not exists (select 1 from alerts a where a.id = d.subscription_id)`,
  ),
  sqlCheckByAccount(
    'every activation, edit and recovery made one sync at the most',
    `select subscription_id || ' revision ' || revision, count(*) > 1
     from deliveries where ${DELIVERY_OF_PAGE} and type = 'sync' group by subscription_id, revision`,
  ),
]
