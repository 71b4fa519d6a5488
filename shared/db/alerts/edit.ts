import { type Instant, startOfDay } from '../../argentine-time.ts'
import { type Channel, isLevel, type Watch } from '../../alerts/alert.ts'
import {
  checkWatch,
  isSameWatch,
  type RefusedWatch,
  type WantedSide,
  type WantedWatch,
  wantedOf,
} from '../../alerts/watch.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { maskDestination } from '../../webhooks/destination/destination.ts'
import { type EditPlan, planEdit } from '../../webhooks/webhook.ts'
import { pairOfAlert } from '../kind.ts'
import type { WebhookContext } from '../webhooks/context.ts'
import { cancelWaiting } from '../webhooks/edit.ts'
import type { SealedFields } from '../webhooks/row.ts'
import { openField, resealFields } from '../webhooks/sealed-fields.ts'
import { setFirstPhase } from './create.ts'
import { findAlert } from './read.ts'
import { checkReceiver, type ReceiverRefusal } from './receiver.ts'
import { type AlertRow, selectAlerts, type StoredAlert, toAlert } from './row.ts'

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

type WriteRefusal = 'not_found' | 'version_changed'

export type EditAlertRefusal =
  | WriteRefusal
  | 'unknown_pair'
  | 'admission_closed'
  | RefusedWatch
  | ReceiverRefusal

/**
 * Edits, pauses or activates an alert. What changes its watch, and an activation, begin it anew:
 * armed, or waiting if its condition is met already. So does `enabled: true` for one that is done.
 */
export async function editAlert(
  context: WebhookContext,
  accountId: string,
  id: string,
  edit: AlertEdit,
): Promise<Result<StoredAlert, EditAlertRefusal>> {
  const { db, keyring, admitted, now } = context

  const alert = await findAlert(db, accountId, id, now)
  if (!alert) return refuse('not_found')
  if (alert.version !== edit.version) return refuse('version_changed')

  const watch = checkWatch(mergedWatch(alert, edit))
  if (!watch.ok) return watch
  const channel = edit.channel ?? alert.channel
  const { url: wantedUrl, receiverAuthorization } = edit
  const receiver = checkReceiver(
    context,
    { channel, url: wantedUrl, receiverAuthorization },
    alert.channel,
  )
  if (!receiver.ok) return receiver

  const url = receiver.value
  const authorization = channel === 'email' ? null : receiverAuthorization
  const changesUrl = url !== null && url !== (await openField(keyring, id, 'url', alert.sealed.url))
  const changesAuthorization =
    authorization !== undefined && (authorization !== null || alert.sealed.authorization !== null)
  const changesWatch = !isSameWatch(watch.value, alert)
  const plan = planEdit(alert, {
    changes: changesWatch || changesUrl || changesAuthorization,
    enabled: edit.enabled,
  })
  const beginsAgain = edit.enabled === true && alert.phase === 'done'
  if ((plan.activates || beginsAgain) && !admitted) return refuse('admission_closed')

  return writeEdit(context, {
    id,
    accountId,
    version: edit.version,
    plan,
    beginsAnew: changesWatch || plan.activates || beginsAgain,
    watch: watch.value,
    channel,
    // Null leaves it.
    destination: changesUrl ? maskDestination(url) : null,
    sealed: await resealFields(keyring, id, alert.sealed, {
      ...(changesUrl && { url }),
      ...(changesAuthorization && { authorization }),
    }),
  })
}

/** A new condition of another unit takes nothing over from the old one. */
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

interface PlannedEdit {
  id: string
  accountId: string
  /** The version that `plan` follows from. */
  version: number
  plan: EditPlan
  beginsAnew: boolean
  watch: Watch
  channel: Channel
  destination: string | null
  sealed: SealedFields
}

/** Writes an edit if the alert still has the version it was planned from. */
async function writeEdit(
  { db, now }: WebhookContext,
  edit: PlannedEdit,
): Promise<Result<StoredAlert, WriteRefusal>> {
  const { id, accountId, plan, beginsAnew } = edit
  const start = startOfDay(now)

  const forgets = plan.startsRevision ? [forgetOwedMail(db, edit, now)] : []
  const results = await db.batch<unknown>([
    ...forgets,
    updateReceiver(db, edit),
    updateWatch(db, edit),
    ...(beginsAnew ? [setFirstPhase(db, { id, at: now, start })] : []),
    // `changes()` is still 1 where the edit was written, and 0 where it was not.
    ...(plan.startsRevision ? cancelWaiting(db, id, now) : []),
    db.prepare(selectAlerts('id = ?1 and account_id = ?2', '?3')).bind(id, accountId, start),
  ])

  const row = results.at(-1)!.results[0] as AlertRow | undefined
  if (!row) return refuse('not_found')
  if (results[forgets.length]!.results.length === 0) return refuse('version_changed')
  return ok(toAlert(row))
}

/**
 * What was to be mailed is not, as with deliveries: no later e-mail tells it either. A test that was
 * asked for still is (decision 43). Before the version goes up, so that it is forgotten if and only
 * if the edit is written.
 */
function forgetOwedMail(
  db: D1Database,
  { id, accountId, version }: PlannedEdit,
  now: Instant,
): D1PreparedStatement {
  return db
    .prepare(
      `update alert_firings set told_at = ?4 where alert_id = ?1 and told_at is null
         and kind <> 'test' and exists (select 1 from webhooks where id = ?1 and account_id = ?2 and version = ?3)`,
    )
    .bind(id, accountId, version, now)
}

const OWES_TEST = `exists (select 1 from alert_firings
  where alert_id = ?1 and told_at is null and kind = 'test')`

function updateReceiver(db: D1Database, edit: PlannedEdit): D1PreparedStatement {
  const { id, accountId, version, plan, watch, destination, sealed } = edit
  return db
    .prepare(
      `update webhooks set pair = ?4, destination = coalesce(?5, destination), url_sealed = ?6,
         authorization_sealed = ?7, secret_sealed = ?8, enabled = ?9, state = ?10,
         version = version + 1, revision = revision + ?11, episode = episode + ?12,
         consecutive_failures = case when ?12 then 0 else consecutive_failures end
       where id = ?1 and account_id = ?2 and version = ?3
       returning id`,
    )
    .bind(
      id,
      accountId,
      version,
      pairOfAlert(watch.pair.id),
      destination,
      sealed.url,
      sealed.authorization,
      sealed.secret,
      Number(plan.enabled),
      plan.state,
      Number(plan.startsRevision),
      Number(plan.activates),
    )
}

/** Only if the statement before wrote the receiver. An e-mail stays due when it owes a test. */
function updateWatch(
  db: D1Database,
  { id, channel, watch, plan }: PlannedEdit,
): D1PreparedStatement {
  const { side, condition, threshold, hysteresis, against, repeats } = watch
  return db
    .prepare(
      `update alerts set channel = ?2, side = ?3, condition = ?4, threshold = ?5, hysteresis = ?6,
         other_pair = ?7, other_side = ?8, repeats = ?9,
         mail_due_at = iif(?10 and not ${OWES_TEST}, null, mail_due_at)
       where id = ?1 and changes() = 1`,
    )
    .bind(
      id,
      channel,
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
