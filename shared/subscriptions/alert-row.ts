import { startOfDay } from '../argentine-time.ts'
import { type Alert, ALERT_LIMIT } from '../alerts/alert.ts'
import { pairById } from '../market/catalog.ts'
import { inCatalogue } from '../db/in-catalogue.ts'
import { isShown } from '../db/is-shown.ts'
import {
  COLUMNS,
  type SubscriptionRow,
  type Rows,
  type StoredSubscription,
  toSubscription,
} from './row.ts'
import type { alerts } from '../db/schema.ts'
import { IS_MET, watchedSql } from '../db/alerts/watch-sql.ts'

export type StoredAlert = Alert & StoredSubscription

/** A row as D1 gives it: with what it watches, as it is now. */
type AlertRow = SubscriptionRow &
  Pick<
    typeof alerts.$inferSelect,
    | 'side'
    | 'condition'
    | 'threshold'
    | 'hysteresis'
    | 'otherPair'
    | 'otherSide'
    | 'phase'
    | 'firedAt'
  > & {
    channel: 'https' | 'email'
    repeats: 0 | 1
    value: number | null
    base: number | null
    isMet: 0 | 1
  }

export const alertRows: Rows<StoredAlert> = {
  kind: 'alert',
  limit: ALERT_LIMIT,
  select(where, now) {
    const source = `(select * from subscriptions where ${isShown('alert')} and ${where}) w`
    return `select ${COLUMNS}, channel, side, condition, threshold, hysteresis,
        other_pair as otherPair, other_side as otherSide, repeats, phase, fired_at as firedAt,
        value, base, coalesce(${IS_MET}, 0) as isMet
      from (${watchedSql(source, String(startOfDay(now)))})
      where other_pair is null or ${inCatalogue('other_pair')} order by created_at, id`
  },
  read: (row) => toAlert(row as AlertRow),
}

function toAlert(row: AlertRow): StoredAlert {
  return {
    ...toSubscription(row),
    side: row.side,
    condition: row.condition,
    threshold: row.threshold,
    hysteresis: row.hysteresis,
    against:
      row.otherPair === null ? null : { pair: pairById(row.otherPair)!, side: row.otherSide! },
    repeats: row.repeats === 1,
    channel: row.channel === 'email' ? 'email' : 'webhook',
    phase: row.phase,
    firedAt: row.firedAt,
    now: row.value === null ? null : { value: row.value, base: row.base, isMet: row.isMet === 1 },
  }
}
