/**
 * Withdraws what a wrong value fired, in the batch of the correction that undoes it. The operator's
 * command sends no hints: the sweep finds the deliveries.
 */
import type { Instant } from '../../argentine-time.ts'
import type { Pair } from '../../market/catalog.ts'
import { deliveryIdSql } from '../../webhooks/delivery-id.ts'
import { reserveInserted } from '../deliveries/capacity.ts'
import { INSERT, isNotMade } from '../deliveries/insert.ts'
import { codesSql, priceSql, utcSql } from '../deliveries/payload-sql.ts'
import { MAIL_DUE } from './fire.ts'
import { IS_MET } from './watch-sql.ts'

/** The firings that name the corrected point, as their alert's own value or as the one it compares. */
const NAMED = `(at, alert_id) in (
  select at, alert_id from alert_firings where pair = ?2 and value_at = ?3 union all
  select at, alert_id from alert_firings where other_pair = ?2 and other_at = ?3)`

/** Whether the condition of a firing is met by the point as it is now; null when it is gone. */
const STILL_MET = `(select ${IS_MET} from (
  select f.condition, f.threshold,
    iif(f.pair = ?2, iif(f.side = 'buy', p.buy, p.sell), f.value) as value,
    iif(f.pair = ?2, f.base, iif(f.other_side = 'buy', p.buy, p.sell)) as base
  from points p where p.pair = ?2 and p.at = ?3))`

/** The corrected point as JSON, with `null` for its values when it is gone. */
const CORRECTED = `('{' || ${codesSql('?2')} || coalesce((
  select ',"buy":' || ${priceSql('p.buy')} || ',"sell":' || ${priceSql('p.sell')}
  from points p where p.pair = ?2 and p.at = ?3), ',"buy":null,"sell":null') || '}')`

/**
 * The statements for the batch of a correction made at `now` of the point of `pair` at `pointAt`,
 * after those that write it. Without the correction's row they change nothing. An alert whose last
 * firing is withdrawn is armed again, one that was done too.
 */
export function withdrawStatements(
  db: D1Database,
  { pair, pointAt, now }: { pair: Pair; pointAt: Instant; now: Instant },
): D1PreparedStatement[] {
  const of = [now, pair.id, pointAt]

  return [
    db
      .prepare(
        `update alert_firings as f set withdrawn_at = ?1, withdrawal_id = ${deliveryIdSql('?1')},
           told_at = (select iif(channel = 'email', null, told_at) from alerts where id = f.alert_id)
         where ${NAMED} and kind = 'triggered' and withdrawn_at is null
           and exists (select 1 from corrections
             where pair = ?2 and point_at = ?3 and made_at = ?1)
           and not coalesce(${STILL_MET}, 0)`,
      )
      .bind(...of),
    db
      .prepare(
        `${INSERT}
         select f.withdrawal_id, f.alert_id, w.account_id, w.revision, w.pair, w.destination,
           'automatic', 'pending', 0, 0,
           json_set(f.body, '$.event', 'alert.withdrawn', '$.withdraws', f.delivery_id,
             '$.corrected', json(${CORRECTED}), '$.timestamp', ${utcSql('?1')}), ?1, ?1
         from alert_firings f join alerts a on a.id = f.alert_id join webhooks w on w.id = a.id
         where ${NAMED.replace('(at, alert_id) in', '(f.at, f.alert_id) in')}
           and f.withdrawn_at = ?1 and a.channel = 'webhook' and w.state = 'active'
           and ${isNotMade('f.alert_id', 'f.withdrawal_id')}`,
      )
      .bind(...of),
    reserveInserted(db),
    db
      .prepare(
        `update alerts set phase = 'armed', phase_at = ?1, mail_due_at = ${MAIL_DUE}
         where (id, fired_at) in (select alert_id, at from alert_firings
           where ${NAMED} and withdrawn_at = ?1)`,
      )
      .bind(...of),
  ]
}
