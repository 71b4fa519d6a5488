import type { Instant } from '../argentine-time.ts'
import { type Channel, isLevel, type Watch } from '../alerts/alert.ts'
import {
  checkWatch,
  isSameWatch,
  type WantedSide,
  type WantedWatch,
  wantedOf,
} from '../alerts/watch.ts'
import { refuse, type Result } from '../result.ts'
import { planEdit } from '../webhooks/webhook.ts'
import type { SubscriptionContext } from './context.ts'
import { changeTarget, type Edited, type PlannedEdit, writeEdit } from './edit.ts'
import { findSubscription } from './read.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import { setFirstPhase } from './create-alert.ts'
import { alertRows, type StoredAlert } from './alert-row.ts'
import { checkTarget } from './alert-target.ts'

/** A field that is left out stays as it is. */
export interface AlertEdit {
  version: number
  currency?: string | undefined
  origin?: string | undefined
  side?: WantedWatch['side'] | undefined
  condition?: WantedWatch['condition'] | undefined
  threshold?: number | undefined
  hysteresis?: number | undefined
  against?: WantedSide | null | undefined
  repeat?: boolean | undefined
  channel?: Channel | undefined
  url?: string | undefined
  enabled?: boolean | undefined
  /** Null removes it. */
  receiverAuthorization?: string | null | undefined
}

/**
 * Edits, pauses or activates an alert. A change of its watch and an activation restart it: armed,
 * or waiting if its condition is already met. So does `enabled: true` for an alert that is done.
 */
export async function editAlert(
  context: SubscriptionContext,
  accountId: string,
  id: string,
  edit: AlertEdit,
): Promise<Result<Edited<StoredAlert>, SubscriptionRefusal>> {
  const { db, admitted, now } = context

  const alert = await findSubscription(db, alertRows, { accountId, id }, now)
  if (!alert) return refuse('not_found')
  if (alert.version !== edit.version) return refuse('version_changed')

  const watch = checkWatch(mergedWatch(alert, edit))
  if (!watch.ok) return watch
  const channel = edit.channel ?? alert.channel
  const url = checkTarget(context, { ...edit, channel }, alert.channel)
  if (!url.ok) return url

  const target = await changeTarget(context.keyring, alert, {
    url: url.value,
    authorization: channel === 'email' ? null : edit.receiverAuthorization,
  })
  const changesWatch = !isSameWatch(watch.value, alert)
  const changes = changesWatch || target.changes
  const plan = planEdit(alert, { changes, enabled: edit.enabled })
  const beginsAgain = edit.enabled === true && alert.phase === 'done'
  if ((plan.activates || beginsAgain) && !admitted) return refuse('admission_closed')

  const { version } = edit
  const planned = { ...target, id, accountId, version, plan, pair: watch.value.pair.id }
  const beginsAnew = changesWatch || plan.activates || beginsAgain
  return writeEdit(context, alertRows, planned, {
    before: plan.startsRevision ? [forgetOwedMail(db, planned, now)] : [],
    after: [
      updateWatch(db, planned, watch.value),
      ...(beginsAnew ? [setFirstPhase(db, { id, at: now })] : []),
    ],
  })
}

/** A new condition of another unit takes no value from the old one. */
function mergedWatch(alert: Watch, edit: AlertEdit): WantedWatch {
  const before = wantedOf(alert)
  const condition = edit.condition ?? before.condition
  const keepsUnit = isLevel(condition) === isLevel(before.condition)
  return {
    condition,
    currency: edit.currency ?? before.currency,
    origin: edit.origin ?? before.origin,
    side: edit.side ?? before.side,
    threshold: edit.threshold ?? (keepsUnit ? before.threshold : Number.NaN),
    hysteresis: edit.hysteresis ?? (keepsUnit ? before.hysteresis : 0),
    against:
      edit.against !== undefined ? edit.against : condition === 'gap' ? before.against : null,
    repeat: edit.repeat ?? before.repeat,
  }
}

/**
 * Drops owed e-mails, as an edit does with deliveries: no later e-mail reports those firings. A
 * requested test is still sent (decision 43: rows that stop early). Runs before the version goes
 * up, so that they are dropped if and only if the edit is written.
 */
function forgetOwedMail(
  db: D1Database,
  { id, accountId, version }: PlannedEdit,
  now: Instant,
): D1PreparedStatement {
  return db
    .prepare(
      `update alert_firings set notified_at = ?4 where alert_id = ?1 and notified_at is null
         and kind <> 'test' and exists (select 1 from subscriptions where id = ?1 and account_id = ?2 and version = ?3)`,
    )
    .bind(id, accountId, version, now)
}

const OWES_TEST = `exists (select 1 from alert_firings
  where alert_id = ?1 and notified_at is null and kind = 'test')`

/**
 * Runs only if the statement before wrote the subscription. An e-mail stays due when it owes a test.
 */
function updateWatch(db: D1Database, { id, plan }: PlannedEdit, watch: Watch): D1PreparedStatement {
  const { side, condition, threshold, hysteresis, against, repeats } = watch
  return db
    .prepare(
      `update alerts set side = ?2, condition = ?3, threshold = ?4, hysteresis = ?5,
         other_pair = ?6, other_side = ?7, repeats = ?8,
         mail_due_at = iif(?9 and not ${OWES_TEST}, null, mail_due_at)
       where id = ?1 and changes() = 1`,
    )
    .bind(
      id,
      side,
      condition,
      threshold,
      hysteresis,
      against?.pair.id ?? null,
      against?.side ?? null,
      Number(repeats),
      Number(plan.startsRevision),
    )
}
