/**
 * Withdraws what a wrong value fired, in the batch that corrects the value or imports earlier days.
 * The operator's command has no queue, so the next sweep takes these deliveries at any age.
 */
import { DAY_MS, type Instant } from '../../argentine-time.ts'
import type { Pair } from '../../market/catalog.ts'
import { startOfDaySql } from '../start-of-day-sql.ts'
import { deliveryIdSql } from '../../webhooks/delivery-id.ts'
import { reserveInserted } from '../deliveries/outstanding.ts'
import { INSERT_UNHINTED, withDeliveryId } from '../deliveries/insert.ts'
import { codesSql, priceSql, utcSql } from './payload-sql.ts'
import { MAIL_DUE } from './fire.ts'
import { baseOfDay, IS_MET, valueOf } from './watch-sql.ts'

/**
 * The firings that name the point of `?2` at `?3`, as the alert's own value or as the value it is
 * compared with.
 */
const NAMED = `
  select at, alert_id from alert_firings where pair = ?2 and value_at = ?3 union all
  select at, alert_id from alert_firings where other_pair = ?2 and other_at = ?3`

/** The midnight that a firing of `change` is measured from. */
const MIDNIGHT = startOfDaySql('at')

/**
 * The firings of `change` whose base is or was the point: the last of its pair before their
 * midnight. Their own value is at or after the next point, and on the same day as it.
 */
const BASED = `
  select at, alert_id from (select min(at) as next from points where pair = ?2 and at > ?3)
    cross join alert_firings indexed by alert_firings_value
  where pair = ?2 and value_at >= next and value_at < next + ${DAY_MS} and condition = 'change'
    and ${MIDNIGHT} > ?3 and ${MIDNIGHT} <= next`

/** The firings of `change` of `?2` with a base that may have changed since the instant `?3`. */
const BASED_SINCE = `
  select at, alert_id from alert_firings
  where pair = ?2 and value_at > ?3 and condition = 'change'`

/** The current value of a point that a firing `f` names. Only the corrected point may be gone. */
const pointNow = (side: string, pair: string, at: string, fired: string) =>
  `coalesce((select ${valueOf(side, 'p')} from points p where p.pair = ${pair} and p.at = ${at}),
    iif(${pair} = ?2 and ${at} = ?3, null, ${fired}))`

/** Whether the current points meet the condition of a firing; null when one is gone. */
const STILL_MET = `(select ${IS_MET} from (
  select f.condition, f.threshold,
    ${pointNow('f.side', 'f.pair', 'f.value_at', 'f.value')} as value,
    case f.condition when 'gap' then ${pointNow('f.other_side', 'f.other_pair', 'f.other_at', 'f.base')}
      when 'change' then ${baseOfDay(startOfDaySql('f.at'), { pair: 'f.pair', side: 'f.side' })}
    end as base))`

/** The right value as JSON, with `null` for its prices when there is none. */
const valueJson = (where: string, more = '') =>
  `('{' || ${codesSql('?2')} || coalesce((
    select ',"buy":' || ${priceSql('p.buy')} || ',"sell":' || ${priceSql('p.sell')}
    from points p where p.pair = ?2 and ${where}), ',"buy":null,"sell":null') || '${more}}')`

/** The corrected value of a firing: the point itself, or the new base of its change. */
const CORRECTED = `iif(f.condition = 'change' and f.value_at <> ?3,
  ${valueJson(`p.at < ${startOfDaySql('f.at')} order by p.at desc limit 1`, ',"isBase":true')},
  ${valueJson('p.at = ?3')})`

/**
 * The statements for the batch of a correction made at `now` of the point of `pair` at `pointAt`,
 * after those that write it. Without the correction's row they change nothing. An alert whose last
 * firing is withdrawn is armed again, even when it was done. A paused alert sends nothing.
 */
export function withdrawStatements(
  db: D1Database,
  { pair, pointAt, now }: { pair: Pair; pointAt: Instant; now: Instant },
): D1PreparedStatement[] {
  const isCorrected = `exists (select 1 from corrections
    where pair = ?2 and point_at = ?3 and made_at = ?1)`
  return withdrawing(db, `${NAMED} union all ${BASED}`, isCorrected, [now, pair.id, pointAt])
}

/**
 * The same for the batch of an import that changed points of `pair` from the instant `from` on. An
 * import changes no point that a cycle recorded, so only bases of `change` can be wrong.
 */
export function withdrawBasedStatements(
  db: D1Database,
  { pair, from, now }: { pair: Pair; from: Instant; now: Instant },
): D1PreparedStatement[] {
  return withdrawing(db, BASED_SINCE, 'true', [now, pair.id, from])
}

/** Whether the alert of a firing `f` goes by e-mail. */
const IS_MAILED = `exists (select 1 from subscriptions w
  where w.id = f.alert_id and w.channel = 'email' and w.state = 'active')`

/** Whether the last firing of an alert was withdrawn at `?1`. */
const IS_LAST = `exists (select 1 from alert_firings
  where at = fired_at and alert_id = alerts.id and withdrawn_at = ?1)`

/** Whether an alert owes an e-mail about a firing that was withdrawn at `?1`. */
const OWES_MAIL = `exists (select 1 from alert_firings
  where alert_id = alerts.id and withdrawn_at = ?1 and notified_at is null)`

/** `firings` selects the `at` and `alert_id` of the firings to check. */
function withdrawing(
  db: D1Database,
  firings: string,
  condition: string,
  of: readonly [now: Instant, pair: number, at: Instant],
): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `update alert_firings as f set withdrawn_at = ?1, withdrawal_id = ${deliveryIdSql('?1')},
           notified_at = iif(${IS_MAILED}, null, notified_at)
         where (at, alert_id) in (${firings}) and kind = 'triggered' and withdrawn_at is null
           and ${condition} and not coalesce(${STILL_MET}, 0)`,
      )
      .bind(...of),
    db
      .prepare(
        `${INSERT_UNHINTED}
         select f.withdrawal_id, f.alert_id, w.account_id, w.revision, w.pair, w.destination,
           'automatic', 'pending', 0, 0,
           json_set(f.body, '$.event', 'alert.withdrawn', '$.withdraws', f.delivery_id,
             '$.corrected', json(${CORRECTED}), '$.timestamp', ${utcSql('?1')}), ?1, ?1, ?1
         from alert_firings f join subscriptions w on w.id = f.alert_id
         where (f.at, f.alert_id) in (${firings})
           and f.withdrawn_at = ?1 and w.channel = 'https' and w.state = 'active'
           and not exists (
             select 1 from deliveries d where ${withDeliveryId('f.alert_id', '?1', 'f.withdrawal_id')})`,
      )
      .bind(...of),
    reserveInserted(db),
    db
      .prepare(
        `update alerts set phase = iif(${IS_LAST}, 'armed', phase),
           phase_at = iif(${IS_LAST}, ?1, phase_at),
           mail_due_at = iif(${OWES_MAIL}, ${MAIL_DUE}, mail_due_at)
         where id in (select alert_id from alert_firings
           where (at, alert_id) in (${firings}) and withdrawn_at = ?1)`,
      )
      .bind(...of),
  ]
}
