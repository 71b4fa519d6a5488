import { startOfDay } from '../argentine-time.ts'
import type { Channel, Watch } from '../alerts/alert.ts'
import { checkWatch, type WantedWatch } from '../alerts/watch.ts'
import type { Result } from '../result.ts'
import type { SubscriptionContext } from './context.ts'
import { type Created, createSubscription } from './create.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import { alertRows, type StoredAlert } from './alert-row.ts'
import { checkTarget } from './alert-target.ts'
import { FIRST_PHASE, watchedSql } from '../db/alerts/watch-sql.ts'

export interface NewAlert extends WantedWatch {
  operationId: string
  channel: Channel
  /** Of the subscription; absent for e-mail. */
  url?: string | undefined
  receiverAuthorization?: string | undefined
  enabled: boolean
}

/**
 * Creates an alert once per operation id, even if a repeated request differs. The insertion itself
 * checks whether the condition is already met; if so the alert waits until it is not.
 */
export async function createAlert(
  context: SubscriptionContext,
  accountId: string,
  wanted: NewAlert,
): Promise<Result<Created<StoredAlert>, SubscriptionRefusal>> {
  const { db, now } = context
  const watch = checkWatch(wanted)
  if (!watch.ok) return watch
  const url = checkTarget(context, wanted, null)
  if (!url.ok) return url

  const subscription = { ...wanted, pair: watch.value.pair, url: url.value ?? null }
  return createSubscription(context, alertRows, accountId, subscription, (id) => [
    insertWatch(db, { id, watch: watch.value, at: now }),
    setFirstPhase(db, { id, at: now }),
  ])
}

/** Only if the statement before inserted the subscription. */
function insertWatch(
  db: D1Database,
  { id, watch, at }: { id: string; watch: Watch; at: number },
): D1PreparedStatement {
  return db
    .prepare(
      `insert into alerts (id, side, condition, threshold, hysteresis, other_pair,
         other_side, repeats, phase, phase_at)
       select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'armed', ?9 where changes() = 1`,
    )
    .bind(
      id,
      watch.side,
      watch.condition,
      watch.threshold,
      watch.hysteresis,
      watch.against?.pair.id ?? null,
      watch.against?.side ?? null,
      Number(watch.repeats),
      at,
    )
}

/**
 * Restarts an alert, if the statement before wrote it: armed, or waiting if its condition is
 * already met.
 */
export function setFirstPhase(
  db: D1Database,
  { id, at }: { id: string; at: number },
): D1PreparedStatement {
  const own = watchedSql(`(select * from subscriptions where id = ?1) w`, '?3')
  return db
    .prepare(
      `update alerts set phase = (select ${FIRST_PHASE} from (${own})), phase_at = ?2
       where id = ?1 and changes() = 1`,
    )
    .bind(id, at, startOfDay(at))
}
