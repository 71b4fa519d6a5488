/**
 * Checks of quotes, and of references between tables. Values derived from points are checked only
 * for the last week. An Argentine day begins three hours (10,800,000 ms) after the day in UTC.
 */
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { checksOf } from './check.ts'

const EACH_PAIR = `(select value as pair from json_each('${JSON.stringify(PAIRS.map(({ id }) => id))}'))`

export const quoteChecks = checksOf({
  // A pair with only imported points has no current row before its first cycle.
  'every current row is its pair’s last point': `
    select 'pair ' || each.pair as id, case
        when c.pair is null then coalesce((select source not like 'import:%' from points p
          where p.pair = each.pair order by p.at desc limit 1), 0)
        else coalesce((select (p.at, p.buy, p.sell) <> (c.updated_at, c.buy, c.sell) from points p
          where p.pair = c.pair order by p.at desc limit 1), 1) end as broken
      from ${EACH_PAIR} each left join current_quotes c on c.pair = each.pair`,
  'every current row refers to the last sell before its day': `
    select 'pair ' || c.pair as id,
        c.reference_sell is not (select p.sell from points p where p.pair = c.pair
          and p.at < c.updated_at - (c.updated_at - 10800000) % 86400000
          order by p.at desc limit 1) as broken
      from current_quotes c`,
  // Imported and corrected points may repeat a value.
  'every point of the last week changes its pair’s value': `
    select 'pair ' || c.pair || ' at ' || strftime('%Y-%m-%dT%H:%M:%SZ', c.at / 1000, 'unixepoch')
          as id,
        coalesce((select (p.buy, p.sell) = (c.buy, c.sell) from points p
          where p.pair = c.pair and p.at < c.at order by p.at desc limit 1), 0) as broken
      from ${EACH_PAIR} each join points c on c.pair = each.pair and c.at > ?1 ->> 'weekAgo'
      where source not like 'import:%' and source <> 'correction'`,
  'every day’s candle of the last week is made of its points': `
    with days as (
        select pair, date((at - 10800000) / 1000, 'unixepoch') as day, min(at) as first_at,
          max(at) as last_at, max(sell) as high, min(sell) as low, max(buy) as buy_high,
          min(buy) as buy_low
        from points where pair in ${EACH_PAIR} and at >= ?1 ->> 'firstMidnight'
        group by 1, 2),
      made as (
        select d.pair, d.day, coalesce(before.sell, first.sell) as open, high, low, last.sell as close,
          coalesce(before.buy, first.buy) as buy_open, buy_high, buy_low, last.buy
        from days d
          join points first on first.pair = d.pair and first.at = d.first_at
          join points last on last.pair = d.pair and last.at = d.last_at
          left join points before on before.pair = d.pair and before.at = (select max(p.at)
            from points p where p.pair = d.pair and p.at <= unixepoch(d.day) * 1000 + 10800000)),
      kept as (select * from daily_candles
        where pair in ${EACH_PAIR} and day >= ?1 ->> 'firstDay')
    select 'pair ' || coalesce(k.pair, m.pair) || ' on ' || coalesce(k.day, m.day) as id,
        k.pair is null or m.pair is null
          or (k.open, k.high, k.low, k.close, k.buy) <>
            (m.open, max(m.high, m.open), min(m.low, m.open), m.close, m.buy)
          or (k.buy_open, k.buy_high, k.buy_low) <>
            (m.buy_open, max(m.buy_high, m.buy_open), min(m.buy_low, m.buy_open)) as broken
      from made m full join kept k on k.pair = m.pair and k.day = m.day`,
  // Each cycle adds the time since the previous one. The first day began with the first cycle, and
  // today is not over.
  'every day’s availability adds up to the day': `
    select day as id, min(ok, degraded, down) < 0 or ok + degraded + down > 86400000
        or day > date((?1 ->> 'soon' - 10800000) / 1000, 'unixepoch')
        or (coalesce(lag(day) over w = date(day, '-1 day'), 0) and lead(day) over w is not null
          and ok + degraded + down <> 86400000) as broken
      from availability window w as (order by day)`,
  // The source of a point tells its mode. Imports and corrections may be of any mode.
  'every point is of the state’s mode: none is simulated among real ones': `
    select 'pair ' || pair || ' from ' || strftime('%Y-%m-%dT%H:%M:%SZ', min(at) / 1000, 'unixepoch')
        as id,
        coalesce(case
            when source like 'demo:%' or source like 'import:demo-%' then 'demo'
            when source like 'upstream:%' then 'upstream'
            when source like 'import:%' or source = 'correction' then null
            else 'live' end <> coalesce((select mode from service_mode), ''), 0) as broken
      from points group by pair, broken`,
  'every subscription has an account': `
    select id, account_id not in (select id from accounts) as broken from subscriptions`,
  'every delivery belongs to a subscription': `
    select d.subscription_id as id, d.subscription_id <> 'system' and w.id is null as broken
      from (select distinct subscription_id from deliveries) d
        left join subscriptions w on w.id = d.subscription_id`,
  'no point was recorded in the future': `
    select 'pair ' || pair as id, coalesce((select max(at) from points p where p.pair = each.pair), 0)
        > ?1 ->> 'soon' as broken
      from ${EACH_PAIR} each`,
  'no pair has more than one held value': `
    select 'pair ' || pair as id, count(*) > 1 as broken from quarantine
      where resolved_at is null group by pair`,
})
