import { startOfDay } from '../../argentine-time.ts'
import { ALERT_LIMIT, type Channel, type Watch } from '../../alerts/alert.ts'
import { checkWatch, type RefusedWatch, type WantedWatch } from '../../alerts/watch.ts'
import { toHex } from '../../crypto/hex.ts'
import { randomUuid } from '../../crypto/random.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { maskDestination } from '../../webhooks/destination/destination.ts'
import { SECRET_BYTES } from '../../webhooks/webhook.ts'
import { isOfKind, pairOfAlert } from '../kind.ts'
import type { WebhookContext } from '../webhooks/context.ts'
import { type InsertRefusal, insertWithin, selectOperation } from '../webhooks/create.ts'
import type { SealedFields } from '../webhooks/row.ts'
import { sealFields } from '../webhooks/sealed-fields.ts'
import { findAlertByOperation } from './read.ts'
import { checkReceiver, type ReceiverRefusal } from './receiver.ts'
import { type AlertRow, selectAlerts, type StoredAlert, toAlert } from './row.ts'
import { FIRST_PHASE, watchedSql } from './watch-sql.ts'

export interface NewAlert extends WantedWatch {
  operationId: string
  channel: Channel
  /** Of the receiver; absent for e-mail. */
  url?: string | undefined
  receiverAuthorization?: string | undefined
  enabled: boolean
}

export type CreateAlertRefusal =
  | 'unknown_pair'
  | 'admission_closed'
  | InsertRefusal
  | RefusedWatch
  | ReceiverRefusal

/** `secret` is null for e-mail, and when an earlier request made the alert. */
export interface CreatedAlert {
  alert: StoredAlert
  secret: string | null
  isNew: boolean
}

/**
 * Creates an alert once per operation id, whatever a repeated request says. Whether its condition is
 * met already is decided by the insertion itself; if so it waits until it is not.
 */
export async function createAlert(
  context: WebhookContext,
  accountId: string,
  wanted: NewAlert,
): Promise<Result<CreatedAlert, CreateAlertRefusal>> {
  const { db, keyring, admitted, now, random } = context

  const watch = checkWatch(wanted)
  if (!watch.ok) return watch
  const receiver = checkReceiver(context, wanted, null)
  if (!receiver.ok) return receiver

  if (!admitted) {
    const made = await findAlertByOperation(db, accountId, wanted.operationId, now)
    return made ? ok({ alert: made, secret: null, isNew: false }) : refuse('admission_closed')
  }

  const url = receiver.value!
  const id = randomUuid(random)
  const secret = toHex(random(SECRET_BYTES))
  const { receiverAuthorization: authorization = null } = wanted
  const created = await insertAlert(context, {
    id,
    accountId,
    operationId: wanted.operationId,
    watch: watch.value,
    channel: wanted.channel,
    destination: maskDestination(url),
    sealed: await sealFields(keyring, id, { url, authorization, secret }),
    enabled: wanted.enabled,
  })
  if (!created.ok) return created

  const { alert, isNew } = created.value
  return ok({ alert, isNew, secret: isNew && wanted.channel === 'webhook' ? secret : null })
}

interface InsertedAlert {
  id: string
  accountId: string
  operationId: string
  watch: Watch
  channel: Channel
  destination: string
  sealed: SealedFields
  enabled: boolean
}

/** As `insertWebhook` does: the insertion counts the alerts and requires the account. */
async function insertAlert(
  { db, now }: WebhookContext,
  alert: InsertedAlert,
): Promise<Result<{ alert: StoredAlert; isNew: boolean }, InsertRefusal>> {
  const { id, accountId, operationId, watch, channel } = alert
  const start = startOfDay(now)

  const results = (await db.batch([
    insertWithin(
      db,
      { ...alert, pair: pairOfAlert(watch.pair.id), createdAt: now },
      { counted: isOfKind('alert', 'pair'), limit: ALERT_LIMIT },
    ),
    insertWatch(db, { id, channel, watch, at: now }),
    setFirstPhase(db, { id, at: now, start }),
    db
      .prepare(selectAlerts('account_id = ?1 and operation_id = ?2', '?3'))
      .bind(accountId, operationId, start),
    selectOperation(db, { accountId, operationId }),
  ])) as D1Result[]

  const [stored, taken] = results.slice(-2)
  const row = stored!.results[0] as AlertRow | undefined
  if (!row) return refuse(taken!.results.length > 0 ? 'operation_taken' : 'limit_reached')
  return ok({ alert: toAlert(row), isNew: results[0]!.results.length === 1 })
}

/** Only if the statement before inserted the receiver. */
function insertWatch(
  db: D1Database,
  { id, channel, watch, at }: { id: string; channel: Channel; watch: Watch; at: number },
): D1PreparedStatement {
  return db
    .prepare(
      `insert into alerts (id, channel, side, condition, threshold, hysteresis, other_pair,
         other_side, repeats, phase, phase_at)
       select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'armed', ?10 where changes() = 1`,
    )
    .bind(
      id,
      channel,
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

/** Begins an alert anew, if the statement before wrote it: armed, or waiting if it is met already. */
export function setFirstPhase(
  db: D1Database,
  { id, at, start }: { id: string; at: number; start: number },
): D1PreparedStatement {
  const own = watchedSql(`(select * from webhooks where id = ?1) w`, '?3')
  return db
    .prepare(
      `update alerts set phase = (select ${FIRST_PHASE} from (${own})), phase_at = ?2
       where id = ?1 and changes() = 1`,
    )
    .bind(id, at, start)
}
