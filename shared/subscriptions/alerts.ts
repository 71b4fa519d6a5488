import { DAY_MS, formatUtc, type Instant, startOfDay } from '../argentine-time.ts'
import {
  ALERT_LIMIT,
  type Channel,
  isLevel,
  type Measured,
  type Phase,
  type Quote,
  type Watch,
} from '../alerts/alert.ts'
import { checkWatch, isSameWatch, type WantedWatch, wantedOf } from '../alerts/watch.ts'
import { isMet, measure, phaseAt } from '../alerts/evaluate.ts'
import { alertBody, percentOf } from '../alerts/event.ts'
import { toWatch, watchColumns, type WatchRow } from '../db/watched-alerts.ts'
import { INSERT, mayTest, OPEN_TESTS } from '../db/deliveries/insert.ts'
import { OUTSTANDING, reserveInserted } from '../db/deliveries/counts.ts'
import { inCatalogue } from '../db/in-catalogue.ts'
import { isShown } from '../db/is-shown.ts'
import type { alerts as table, subscriptions } from '../db/schema.ts'
import type { Pair } from '../market/catalog.ts'
import { priceToNumber } from '../market/price.ts'
import { ok, refuse, type Result } from '../result.ts'
import { deliveryIdSql } from '../webhooks/delivery-id.ts'
import { checkUrl, type SubscriptionContext } from './context.ts'
import type { EditOf, Kind, NewSubscription, QueuedDelivery } from './kind.ts'
import { findSubscription } from './read.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import { COLUMNS, type StoredSubscription, type SubscriptionRow, toSubscription } from './row.ts'

export interface StoredAlert extends StoredSubscription, Watch {
  pair: Pair
  channel: Channel
  phase: Phase
  /** The cycle whose change fired it last. */
  firedAt: Instant | null
  /** When one of its e-mails was given up. */
  mailDroppedAt: Instant | null
  /** The current value of what it watches; null while there is no quote. */
  now: (Measured & { isMet: boolean }) | null
}

export interface NewAlert extends NewSubscription, WantedWatch {
  channel: Channel
  /** Absent for e-mail. */
  url?: string | undefined
}

export type AlertEdit = EditOf<NewAlert>

/** A row as D1 gives it: with what it watches, as it is now. */
type AlertRow = SubscriptionRow &
  WatchRow &
  Pick<typeof subscriptions.$inferSelect, 'channel'> &
  Pick<typeof table.$inferSelect, 'firedAt' | 'mailDroppedAt'> & {
    /** JSON; null without a quote. */
    quote: string | null
    other: string | null
  }

export const alerts: Kind<StoredAlert, NewAlert, AlertEdit> = {
  name: 'alert',
  plural: 'alerts',
  idField: 'alertId',
  limit: ALERT_LIMIT,
  view(alert) {
    const { now } = alert
    return {
      id: alert.id,
      operationId: alert.operationId,
      ...wantedOf(alert),
      channel: alert.channel,
      destination: alert.destination,
      receiverAuthorizationConfigured: alert.receiverAuthorizationConfigured,
      enabled: alert.enabled,
      state: alert.state,
      phase: alert.phase,
      isMet: now?.isMet ?? null,
      value: now && priceToNumber(now.value),
      percent: now && percentOf(now),
      version: alert.version,
      firedAt: alert.firedAt === null ? null : formatUtc(alert.firedAt),
      createdAt: formatUtc(alert.createdAt),
    }
  },

  select(where, now) {
    return `select ${COLUMNS}, channel, ${watchColumns(String(startOfDay(now)))},
        fired_at as firedAt, mail_dropped_at as mailDroppedAt, ${quoteOf('w.pair')} as quote, ${quoteOf('other_pair')} as other
      from (select * from subscriptions where ${isShown('alert')} and ${where}) w
        join alerts a using (id)
      where other_pair is null or ${inCatalogue('other_pair')} order by created_at, id`
  },
  read(found) {
    const row = found as AlertRow
    const stored = toSubscription(row)
    const watch = toWatch(stored.pair, row)
    const now = measure(watch, toQuote(row.quote), toQuote(row.other), row.close)
    return {
      ...stored,
      ...watch,
      channel: row.channel === 'email' ? 'email' : 'webhook',
      phase: row.phase ?? phaseAt(watch, null, now),
      firedAt: row.firedAt,
      mailDroppedAt: row.mailDroppedAt,
      now: now && { ...now, isMet: isMet(watch, now) },
    }
  },

  checkNew(context, wanted) {
    const watch = checkWatch(wanted)
    if (!watch.ok) return watch
    const url = checkTarget(context, wanted, null)
    if (!url.ok) return url

    const inserts = (id: string) => [insertWatch(context.db, id, watch.value)]
    return ok({ pair: watch.value.pair, url: url.value ?? null, inserts })
  },

  /**
   * A change of its watch and an activation restart it. So does `enabled: true` for an alert that is
   * done.
   */
  checkEdit(context, alert, edit: AlertEdit) {
    const { db, now } = context
    const watch = checkWatch(mergedWatch(alert, edit))
    if (!watch.ok) return watch
    const channel = edit.channel ?? alert.channel
    const url = checkTarget(context, { ...edit, channel }, alert.channel)
    if (!url.ok) return url

    const { id } = alert
    if (url.value === null && edit.enabled === true && !context.sendsMail)
      return refuse('mail_unavailable')
    const changes = !isSameWatch(watch.value, alert)
    const beginsAgain = edit.enabled === true && alert.phase === 'done'
    return ok({
      pair: watch.value.pair,
      url: url.value,
      authorization: channel === 'email' ? null : edit.receiverAuthorization,
      changes,
      beginsAgain,
      statements: ({ startsRevision, activates }) => ({
        before: startsRevision ? [forgetOwedMail(db, alert, now)] : [],
        after: [
          updateWatch(db, id, watch.value, {
            startsRevision,
            restarts: changes || activates || beginsAgain,
          }),
        ],
      }),
    })
  },

  /** With the values in effect; an e-mail with the next sweep, within the account's limit. */
  async test({ db, now, capacity, admitted, sendsMail }, { accountId, id }) {
    const alert = await findSubscription(db, alerts, { accountId, id }, now)
    if (!alert) return refuse('not_found')
    if (!admitted) return refuse('admission_closed')
    if (!alert.now) return refuse('quote_unavailable')
    if (alert.channel === 'email' && !sendsMail) return refuse('mail_unavailable')

    const body = alertBody('test', alert, alert.now, now)
    if (alert.channel === 'email') {
      const [inserted] = await db.batch(mailTest(db, id, body, now))
      return inserted!.results.length > 0 ? ok(null) : refuse('capacity_exhausted')
    }
    const [inserted] = (await db.batch([
      db
        .prepare(
          `${INSERT}
           select ${deliveryIdSql('?1')}, id, account_id, revision, pair, destination, 'manual',
             'pending', 0, 0, ?4, ?1, ?1
           from subscriptions where id = ?2 and account_id = ?3 and channel = 'https'
             and ${OUTSTANDING} < ?5 and ${mayTest('?3')}
           returning id, delivery_id as deliveryId`,
        )
        .bind(now, id, accountId, body, capacity),
      reserveInserted(db),
    ])) as [D1Result<QueuedDelivery>, D1Result]
    const [test] = inserted.results
    return test ? ok(test) : refuse('capacity_exhausted')
  },
}

/** SQL of a pair's value in effect, as `toQuote` takes it. */
function quoteOf(pair: string): string {
  return `(select json_object('buy', buy, 'sell', sell, 'updatedAt', updated_at)
    from current_quotes where pair = ${pair})`
}

function toQuote(text: string | null): Quote | null {
  return text === null ? null : (JSON.parse(text) as Quote)
}

interface WantedTarget {
  channel: Channel
  url?: string | undefined
  receiverAuthorization?: string | null | undefined
}

/** The URL to store: null for e-mail, undefined to keep the stored one. */
function checkTarget(
  context: SubscriptionContext,
  { channel, url, receiverAuthorization }: WantedTarget,
  stored: Channel | null,
): Result<string | null | undefined, SubscriptionRefusal> {
  if (channel === 'email') {
    if (url !== undefined || typeof receiverAuthorization === 'string')
      return refuse('url_unwanted')
    return context.sendsMail || stored === 'email' ? ok(null) : refuse('mail_unavailable')
  }
  if (url !== undefined) return checkUrl(context, url)
  return stored === 'webhook' ? ok(undefined) : refuse('url_missing')
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

/** Only if the statement before inserted the subscription. */
function insertWatch(db: D1Database, id: string, watch: Watch): D1PreparedStatement {
  return db
    .prepare(
      `insert into alerts (id, side, condition, threshold, hysteresis, other_pair,
         other_side, repeats)
       select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 where changes() = 1`,
    )
    .bind(id, ...columnsOf(watch))
}

const OWES_TEST = `exists (select 1 from alert_firings
  where alert_id = ?1 and notified_at is null and kind = 'test')`

/** Only if the statement before wrote the subscription. An e-mail stays due when it owes a test. */
function updateWatch(
  db: D1Database,
  id: string,
  watch: Watch,
  { startsRevision, restarts }: { startsRevision: boolean; restarts: boolean },
): D1PreparedStatement {
  return db
    .prepare(
      `update alerts set side = ?2, condition = ?3, threshold = ?4, hysteresis = ?5,
         other_pair = ?6, other_side = ?7, repeats = ?8, phase = iif(?10, null, phase),
         mail_due_at = iif(?9 and not ${OWES_TEST}, null, mail_due_at)
       where id = ?1 and changes() = 1`,
    )
    .bind(id, ...columnsOf(watch), Number(startsRevision), Number(restarts))
}

function columnsOf({ side, condition, threshold, hysteresis, against, repeats }: Watch) {
  const other = [against?.pair.id ?? null, against?.side ?? null]
  return [side, condition, threshold, hysteresis, ...other, Number(repeats)]
}

/**
 * Drops owed e-mails, as an edit does with deliveries: no later e-mail reports those firings. A
 * requested test is still sent (decision 43: rows that stop early). Runs before the version goes
 * up, so that they are dropped if and only if the edit is written.
 */
function forgetOwedMail(
  db: D1Database,
  { id, version }: StoredAlert,
  now: Instant,
): D1PreparedStatement {
  return db
    .prepare(
      `update alert_firings set notified_at = ?3 where alert_id = ?1 and notified_at is null
         and kind <> 'test' and exists (select 1 from subscriptions where id = ?1 and version = ?2)`,
    )
    .bind(id, version, now)
}

/** Two tests of the same millisecond are one, also where no other place is left. */
function mailTest(db: D1Database, id: string, body: string, now: Instant): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `insert into alert_firings (at, alert_id, kind, body)
         select ?1, id, 'test', ?3 from subscriptions where id = ?2 and channel = 'email'
           and (select count(*) from alert_firings where alert_id = ?2 and at > ?1 - ${DAY_MS}
             and at <> ?1 and kind = 'test' and notified_at is null) < ${OPEN_TESTS}
         on conflict (at, alert_id, kind) do update set body = excluded.body returning at`,
      )
      .bind(now, id, body),
    db.prepare(`update alerts set mail_due_at = ?1 where id = ?2 and changes() = 1`).bind(now, id),
  ]
}
