import { LAST_SCRAPED } from '../../../../shared/db/quotes/last-scraped.ts'
import type { Check } from './check.ts'
import { CLOCK_SLACK_MS } from './check.ts'
import { EVERY_PAIR, pairName, sqlCheck } from './sql-check.ts'

/** Tables whose `account_id` names an account. */
const OWNED = ['subscriptions', 'api_keys', 'import_marks', 'sessions', 'identities']

const owned = OWNED.map(
  (table) => `select distinct '${table} of account ' || account_id as id,
    account_id not in (select id from accounts) as broken from ${table}`,
)

export const referenceChecks: readonly Check[] = [
  sqlCheck('everything that has an owner has an account', owned.join(' union all ')),
  sqlCheck(
    'every delivery belongs to a subscription and its account',
    `select d.subscription_id, d.subscription_id <> 'system' and w.id is null
       or d.account_id <> coalesce(w.account_id, 'system')
     from (select distinct subscription_id, account_id from deliveries) d
       left join subscriptions w on w.id = d.subscription_id`,
  ),
  sqlCheck(
    'every notice belongs to a subscription',
    `select subscription_id, subscription_id not in (select id from subscriptions) from notices`,
  ),
  sqlCheck(
    'every subscription and current row is of a pair of the catalogue',
    `select id, pair not in (select value from ${EVERY_PAIR}) from (
       select distinct 'subscriptions of pair ' || pair as id, pair from subscriptions union all
       select 'current row of pair ' || pair, pair from current_quotes)`,
  ),
  sqlCheck(
    'nothing was recorded in the future',
    `select id, at > (select now from given) + ${CLOCK_SLACK_MS} from (
       select ${pairName('value')} as id,
         (select max(at) from points where pair = value) as at from ${EVERY_PAIR} union all
       select 'confirmation of ' || ${pairName('pair')}, ${LAST_SCRAPED} from current_quotes q union all
       select 'subscription ' || id, created_at from subscriptions union all
       select 'notice of ' || subscription_id, max(created_at, coalesce(sent_at, 0)) from notices union all
       select 'held value ' || id, max(last_seen_at, coalesce(resolved_at, 0)) from quarantine
     ) where at is not null`,
  ),
  sqlCheck(
    'no pair has more than one held value, and what is decided is dated',
    `select 'held value ' || id, status in ('released', 'dropped') and resolved_at is null
       or last_seen_at < first_seen_at
       or resolved_at is null and row_number() over (partition by pair, resolved_at order by id) > 1
     from quarantine`,
  ),
]
