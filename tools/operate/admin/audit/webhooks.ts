import { KEY_LIMIT } from '../../../../shared/db/accounts/api-keys.ts'
import { FAILURES_TO_PAUSE } from '../../../../shared/db/deliveries/settle.ts'
import { ALERT_LIMIT } from '../../../../shared/alerts/alert.ts'
import { WEBHOOK_LIMIT } from '../../../../shared/webhooks/webhook.ts'
import type { Check } from './check.ts'
import { DELIVERY_OF_PAGE, sqlCheck, sqlCheckByAccount } from './sql-check.ts'

export const webhookChecks: readonly Check[] = [
  sqlCheck(
    'every webhook’s columns agree with its state',
    `select id, not (
       enabled = (state in ('active', 'capacity'))
       and (enabled = 1 or needs_sync = 0) and (state <> 'capacity' or needs_sync = 1)
       and version >= 1 and revision between 1 and version and episode between 1 and revision
       and synced_revision between 0 and revision and consecutive_failures >= 0
       and case state when 'failure' then consecutive_failures >= ${FAILURES_TO_PAUSE}
         when 'active' then consecutive_failures < ${FAILURES_TO_PAUSE}
         when 'capacity' then consecutive_failures < ${FAILURES_TO_PAUSE}
         when 'inherited' then source = 'v1' else 1 end)
     from subscriptions`,
  ),
  sqlCheckByAccount(
    'no webhook counts failures after its last automatic delivery succeeded',
    `select w.id, w.consecutive_failures > 0 and d.status = 'delivered'
     from (select subscription_id, max(id) as id from deliveries
         where ${DELIVERY_OF_PAGE} and type = 'automatic' and attempts > 0 group by subscription_id) last
       join deliveries d on d.id = last.id join subscriptions w on w.id = last.subscription_id`,
  ),
  sqlCheck(
    'every webhook paused by failures has its notice, and no other has one for its episode',
    `select w.id, (w.state = 'failure') <> (n.subscription_id is not null) from subscriptions w
       left join notices n on n.subscription_id = w.id and n.episode = w.episode`,
  ),
  sqlCheck(
    'no notice is of an episode that was not',
    `select n.subscription_id || ' episode ' || n.episode, n.episode not between 1 and w.episode
     from notices n join subscriptions w on w.id = n.subscription_id`,
  ),
  sqlCheck(
    `no account is over its ${WEBHOOK_LIMIT} webhooks, nor has more than ${WEBHOOK_LIMIT} on`,
    `select account_id, sum(source = 'v2') > ${WEBHOOK_LIMIT} or sum(enabled) > ${WEBHOOK_LIMIT}
     from subscriptions where kind = 'webhook' group by account_id`,
  ),
  sqlCheck(
    `no account is over its ${ALERT_LIMIT} alerts`,
    `select account_id, count(*) > ${ALERT_LIMIT} from subscriptions
     where kind = 'alert' group by account_id`,
  ),
  sqlCheck(
    'every alert has its subscription, and every subscription of one its alert',
    `select coalesce(w.id, a.id), w.id is null or a.id is null
     from (select * from subscriptions where kind = 'alert') w full join alerts a on a.id = w.id`,
  ),
  sqlCheck(
    `no account is over its ${KEY_LIMIT} keys, inherited ones apart`,
    `select k.account_id, count(*) > ${KEY_LIMIT} + (select count(*) from import_marks m
       where m.account_id = k.account_id and m.kind = 'key')
     from api_keys k group by k.account_id`,
  ),
]
