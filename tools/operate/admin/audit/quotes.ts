/**
 * Quotes, and what refers to what. What is derived from points is checked for the last week only.
 */
import { DAY_MS } from '../../../../shared/argentine-time.ts'
import { RETENTION_MS } from '../../../../shared/db/deliveries/claim.ts'
import { checksOf, CLOCK_SLACK_MS, EVERY_PAIR, pairName, utc } from './check.ts'

/** The last point of the row's pair before an instant, or at it. */
const pointBefore = (column: string, instant: string) =>
  `(select p.${column} from points p where p.pair = c.pair and ${instant} order by p.at desc limit 1)`

/** The Argentine midnight at or before an instant. */
const midnight = (at: string) => `(${at} - (${at} - 10800000) % 86400000)`

const RECENT = `at > (select now from given) - ${RETENTION_MS}`

/** Made by a cycle, not by hand or from a file. */
const SCRAPED = `source not like 'import:%' and source <> 'correction'`

const CANDLES_MADE = `select c.pair, c.day, c.high, c.low, last.sell as close, last.buy, c.buy_high, c.buy_low,
      coalesce(${pointBefore('sell', `p.at <= ${midnight('c.first_at')}`)}, first.sell) as open,
      coalesce(${pointBefore('buy', `p.at <= ${midnight('c.first_at')}`)}, first.buy) as buy_open
    from (select pair, date((at - 10800000) / 1000, 'unixepoch') as day, min(at) as first_at,
        max(at) as last_at, max(sell) as high, min(sell) as low, max(buy) as buy_high,
        min(buy) as buy_low
      from points where pair in (select value from ${EVERY_PAIR})
        and at >= ${midnight(`((select now from given) - ${RETENTION_MS})`)}
      group by 1, 2) c
    join points first on first.pair = c.pair and first.at = c.first_at
    join points last on last.pair = c.pair and last.at = c.last_at`

const FIRST_DAY = `date(((select now from given) - ${RETENTION_MS} - 10800000) / 1000, 'unixepoch')`

/** The mode that a point tells by its source; null of imports and corrections, which may be of any. */
const MODE_OF_POINT = `case
  when source like 'demo:%' or source like 'import:demo-%' then 'demo'
  when source like 'upstream:%' then 'upstream'
  when source like 'import:%' or source = 'correction' then null
  else 'live' end`

/** Tables whose `account_id` names an account. */
const OWNED = ['subscriptions', 'api_keys', 'import_marks', 'sessions', 'identities']
  .map(
    (table) => `select distinct '${table} of account ' || account_id as id,
      account_id not in (select id from accounts) as broken from ${table}`,
  )
  .join(' union all ')

export const quoteChecks = checksOf({
  // A pair that was only imported has no current row before its first cycle.
  'every current row is its pair’s last point': `
    select ${pairName('pairs.value')}, case
       when c.pair is null then coalesce((select source not like 'import:%' from points p
         where p.pair = pairs.value order by p.at desc limit 1), 0)
       else coalesce((select (p.at, p.buy, p.sell) <> (c.updated_at, c.buy, c.sell) from points p
         where p.pair = c.pair order by p.at desc limit 1), 1) end
     from ${EVERY_PAIR} pairs left join current_quotes c on c.pair = pairs.value`,
  'every current row refers to the last sell before its day': `
    select ${pairName('c.pair')},
       c.reference_sell is not ${pointBefore('sell', `p.at < ${midnight('c.updated_at')}`)}
     from current_quotes c`,
  'no current row was confirmed before its value was first seen': `
    select ${pairName('pair')}, last_scraped_at < updated_at from confirmed_quotes`,
  'every point of the last week changes its pair’s value': `
    select ${pairName('c.pair')} || ' at ' || ${utc('c.at')},
       coalesce((select (p.buy, p.sell) = (c.buy, c.sell) from points p
         where p.pair = c.pair and p.at < c.at order by p.at desc limit 1), 0)
     from points c where pair in (select value from ${EVERY_PAIR}) and ${RECENT} and ${SCRAPED}`,
  'every day’s candle of the last week is made of its points': `
    select ${pairName('coalesce(k.pair, m.pair)')} || ' on ' || coalesce(k.day, m.day),
       k.pair is null or m.pair is null or (k.open, k.high, k.low, k.close, k.buy) <>
         (m.open, max(m.high, m.open), min(m.low, m.open), m.close, m.buy)
       or (k.buy_open, k.buy_high, k.buy_low) <>
         (m.buy_open, max(m.buy_high, m.buy_open), min(m.buy_low, m.buy_open))
     from (${CANDLES_MADE}) m
       full join (select * from daily_candles where day >= ${FIRST_DAY}) k
         on k.pair = m.pair and k.day = m.day`,
  // Each cycle accounts for the time since the one before. The first day began with the first
  // cycle, and today is not over.
  'every day’s availability adds up to the day': `
    select day, min(ok, degraded, down) < 0 or ok + degraded + down > ${DAY_MS}
       or day > date(((select now from given) + ${CLOCK_SLACK_MS} - 10800000) / 1000, 'unixepoch')
       or (coalesce(lag(day) over w = date(day, '-1 day'), 0) and lead(day) over w is not null
         and ok + degraded + down <> ${DAY_MS})
     from availability window w as (order by day)`,
  'every point is of the state’s mode: none is simulated among real ones': `
    select ${pairName('pairs.value')} || ' from ' || ${utc('first')}, first is not null
     from ${EVERY_PAIR} pairs left join (
       select pair, min(at) as first from points
       where ${MODE_OF_POINT} <> coalesce((select mode from service_mode), '') group by pair
     ) on pair = pairs.value`,
  'everything that has an owner has an account': OWNED,
  'every delivery belongs to a subscription and its account': `
    select d.subscription_id, d.subscription_id <> 'system' and w.id is null
       or d.account_id <> coalesce(w.account_id, 'system')
     from (select distinct subscription_id, account_id from deliveries) d
       left join subscriptions w on w.id = d.subscription_id`,
  'every subscription and current row is of a pair of the catalogue': `
    select id, pair not in (select value from ${EVERY_PAIR}) from (
       select distinct 'subscriptions of pair ' || pair as id, pair from subscriptions union all
       select 'current row of pair ' || pair, pair from current_quotes)`,
  'nothing was recorded in the future': `
    select id, at > (select now from given) + ${CLOCK_SLACK_MS} from (
       select ${pairName('value')} as id,
         (select max(at) from points where pair = value) as at from ${EVERY_PAIR} union all
       select 'confirmation of ' || ${pairName('pair')}, last_scraped_at from confirmed_quotes union all
       select 'subscription ' || id, created_at from subscriptions union all
       select 'notice of ' || subscription_id, max(created_at, coalesce(sent_at, 0)) from notices union all
       select 'held value ' || id, max(last_seen_at, coalesce(resolved_at, 0)) from quarantine
     ) where at is not null`,
  'no pair has more than one held value, and what is decided is dated': `
    select 'held value ' || id, status in ('released', 'dropped') and resolved_at is null
       or last_seen_at < first_seen_at
       or resolved_at is null and row_number() over (partition by pair, resolved_at order by id) > 1
     from quarantine`,
})
