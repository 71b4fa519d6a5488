import { type Instant, formatUtc } from '../argentine-time.ts'
import {
  type Channel,
  type Measured,
  type Phase,
  type Quote,
  type AlertRule,
  isLevel,
  isMet,
  measure,
  phaseAt,
} from '../alerts/alert.ts'
import { type WantedRule, checkRule, isSameRule, wantedOf } from '../alerts/rule.ts'
import { alertBody, percentOf } from '../alerts/event.ts'
import { type AlertRow, makeMailTest, selectAlerts, toRule } from '../db/alerts.ts'
import { makeTest } from '../db/deliveries/insert.ts'
import { type StoredSubscription, toSubscription } from '../db/subscriptions.ts'
import type { Pair } from '../market/catalog.ts'
import { priceToNumber } from '../market/price.ts'
import { type Result, ok, refuse } from '../result.ts'
import { type SubscriptionContext, checkUrl } from './context.ts'
import { type EditOf, type Kind, type NewSubscription, findSubscription } from './kind.ts'
import type { SubscriptionRefusal } from './refusal.ts'

export interface StoredAlert extends StoredSubscription, AlertRule {
  pair: Pair
  channel: Channel
  phase: Phase
  /** The last cycle whose change fired the alert. */
  firedAt: Instant | null
  /** When an event of the alert was last dropped, because its e-mail was refused for a day. */
  mailDroppedAt: Instant | null
  /** The current value that the rule watches. Null without a quote. */
  now: (Measured & { isMet: boolean }) | null
}

export interface NewAlert extends NewSubscription, WantedRule {
  channel: Channel
  /** Absent for e-mail. */
  url?: string | undefined
}

export type AlertEdit = EditOf<NewAlert>

export const alerts: Kind<StoredAlert, NewAlert, AlertEdit> = {
  name: 'alert',
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

  select: selectAlerts,
  read(found) {
    const row = found as AlertRow
    const stored = toSubscription(row)
    const rule = toRule(stored.pair, row)
    const now = measure(rule, toQuote(row.quote), toQuote(row.other), row.close)
    return {
      ...stored,
      ...rule,
      channel: stored.destination === null ? 'email' : 'webhook',
      phase: row.phase ?? phaseAt(rule, null, now),
      firedAt: row.firedAt,
      mailDroppedAt: row.mailDroppedAt,
      now: now && { ...now, isMet: isMet(rule, now) },
    }
  },

  checkNew(context, wanted) {
    const rule = checkRule(wanted)
    if (!rule.ok) return rule
    const url = checkTarget(context, wanted, null)
    if (!url.ok) return url

    return ok({ pair: rule.value.pair, url: url.value ?? null, rule: rule.value })
  },

  /**
   * A change of the rule or an activation restarts the alert. `enabled: true` also restarts an
   * alert that is done.
   */
  checkEdit(context, alert, edit: AlertEdit) {
    const rule = checkRule(mergedRule(alert, edit))
    if (!rule.ok) return rule
    const channel = edit.channel ?? alert.channel
    const url = checkTarget(context, { ...edit, channel }, alert.channel)
    if (!url.ok) return url

    if (url.value === null && edit.enabled === true && !context.sendsMail)
      return refuse('mail_unavailable')
    return ok({
      pair: rule.value.pair,
      url: url.value,
      authorization: channel === 'email' ? null : edit.receiverAuthorization,
      changes: !isSameRule(rule.value, alert),
      beginsAgain: edit.enabled === true && alert.phase === 'done',
      rule: rule.value,
    })
  },

  /** The test has the current values. By e-mail, it goes out with a sweep, within the limits. */
  async test({ db, now, capacity, admitted, sendsMail }, { accountId, id }) {
    const alert = await findSubscription(db, alerts, { accountId, id }, now)
    if (!alert) return refuse('not_found')
    if (!admitted) return refuse('admission_closed')
    if (!alert.now) return refuse('quote_unavailable')
    if (alert.channel === 'email' && !sendsMail) return refuse('mail_unavailable')

    const body = alertBody('test', alert, alert.now, now)
    if (alert.channel === 'email')
      return (await makeMailTest(db, { id, accountId }, body, now))
        ? ok(null)
        : refuse('capacity_exhausted')
    const test = await makeTest(db, { id, accountId, body, capacity, now })
    return test ? ok(test) : refuse('capacity_exhausted')
  },
}

function toQuote(text: string | null): Quote | null {
  return text === null ? null : (JSON.parse(text) as Quote)
}

interface WantedTarget {
  channel: Channel
  url?: string | undefined
  receiverAuthorization?: string | null | undefined
}

/** The URL to store: null for e-mail, undefined to keep the stored URL. */
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

/** If the new condition has another unit, threshold and hysteresis of the old rule do not apply. */
function mergedRule(alert: AlertRule, edit: AlertEdit): WantedRule {
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
