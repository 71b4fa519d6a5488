/** Rows of alerts: their rules, and the firings that e-mails report. */
import type { AlertRule } from '../alerts/alert.ts'
import { DAY_MS, type Instant, startOfDay } from '../argentine-time.ts'
import { type Pair, pairById } from '../market/catalog.ts'
import type { Price } from '../market/price.ts'
import { OPEN_TESTS } from './deliveries/insert.ts'
import { namedBatch, type Statement } from './named-batch.ts'
import type { alerts } from './schema.ts'
import { keyOf, type Own, type SubscriptionRow, type Which } from './subscriptions.ts'

/** The columns of a rule. */
export type RuleRow = Pick<
  typeof alerts.$inferSelect,
  'side' | 'condition' | 'threshold' | 'hysteresis' | 'otherPair' | 'otherSide' | 'phase'
> & {
  repeats: 0 | 1
  /** The last value before today began in Argentina: the base of a `change`. */
  close: Price | null
}

export function toRule(pair: Pair, row: RuleRow): AlertRule {
  const { side, condition, threshold, hysteresis, otherPair, otherSide } = row
  const other = otherPair === null ? undefined : pairById(otherPair)
  return {
    pair,
    side,
    condition,
    threshold,
    hysteresis,
    against: other ? { pair: other, side: otherSide! } : null,
    repeats: row.repeats === 1,
  }
}

/** A row as D1 returns it, with the current values that the rule compares. */
export type AlertRow = SubscriptionRow &
  RuleRow &
  Pick<typeof alerts.$inferSelect, 'firedAt' | 'mailDroppedAt'> & {
    /** JSON; null without a quote. */
    quote: string | null
    other: string | null
  }

/** The statement that reads alerts, oldest first. */
export function selectAlerts(db: D1Database, which: Which, now: Instant): Statement<AlertRow> {
  const [column, value] = keyOf(which)
  return db
    .prepare(
      `select w.id, w.operation_id as operationId, w.pair, w.destination, w.url_sealed as urlSealed,
         w.authorization_sealed as authorizationSealed, w.secret_sealed as secretSealed,
         w.state, w.version, w.created_at as createdAt, a.side, a.condition, a.threshold,
         a.hysteresis, a.other_pair as otherPair, a.other_side as otherSide, a.repeats, a.phase,
         a.fired_at as firedAt, a.mail_dropped_at as mailDroppedAt,
         case a.condition when 'change' then (select iif(a.side = 'buy', p.buy, p.sell) from points p
           where p.pair = w.pair and p.at < ?3 order by p.at desc limit 1) end as close,
         (select json_object('buy', buy, 'sell', sell, 'updatedAt', updated_at)
           from current_quotes where pair = w.pair) as quote,
         (select json_object('buy', buy, 'sell', sell, 'updatedAt', updated_at)
           from current_quotes where pair = a.other_pair) as other
       from subscriptions w join alerts a on a.id = w.id
       where w.account_id = ?1 and w.${column} = ?2 and w.kind = 'alert'
       order by w.created_at, w.id`,
    )
    .bind(which.accountId, value, startOfDay(now))
}

/** A rule in the form that the statements below expect. */
function columnsOf({ side, condition, threshold, hysteresis, against, repeats }: AlertRule) {
  const other = { otherPair: against?.pair.id, otherSide: against?.side }
  return { side, condition, threshold, hysteresis, repeats, ...other }
}

/** Stores the rule of a new alert, if the statement before inserted its subscription. */
export function insertRule(db: D1Database, id: string, rule: AlertRule): Statement {
  return db
    .prepare(
      `insert into alerts (id, side, condition, threshold, hysteresis, other_pair, other_side, repeats)
       select id, ?2 ->> 'side', ?2 ->> 'condition', ?2 ->> 'threshold', ?2 ->> 'hysteresis',
         ?2 ->> 'otherPair', ?2 ->> 'otherSide', ?2 ->> 'repeats'
       from subscriptions where id = ?1`,
    )
    .bind(id, JSON.stringify(columnsOf(rule)))
}

export interface EditedRule {
  id: string
  rule: AlertRule
  startsRevision: boolean
  /** Whether the phase is reset. The next change then decides it. */
  restarts: boolean
}

/** Acts only if the statement before wrote the subscription. The e-mail of a test stays due. */
export function updateRule(
  db: D1Database,
  { id, rule, startsRevision, restarts }: EditedRule,
): Statement {
  return db
    .prepare(
      `update alerts set side = ?2 ->> 'side', condition = ?2 ->> 'condition',
         threshold = ?2 ->> 'threshold', hysteresis = ?2 ->> 'hysteresis',
         other_pair = ?2 ->> 'otherPair', other_side = ?2 ->> 'otherSide',
         repeats = ?2 ->> 'repeats', phase = iif(?2 ->> 'restarts', null, phase),
         mail_due_at = iif(?2 ->> 'startsRevision' and not exists (select 1 from alert_firings
           where alert_id = ?1 and kind = 'test'), null, mail_due_at)
       where id = ?1 and changes() = 1`,
    )
    .bind(id, JSON.stringify({ ...columnsOf(rule), startsRevision, restarts }))
}

/**
 * Drops firings that no e-mail has reported. An edit cancels them, as it cancels waiting
 * deliveries, but a requested test is still sent (decision 43). Must run before the version grows,
 * so that it drops firings exactly if the edit is written.
 */
export function dropFirings(
  db: D1Database,
  { id, version }: { id: string; version: number },
): Statement {
  return db
    .prepare(
      `delete from alert_firings where alert_id = ?1 and kind <> 'test'
         and exists (select 1 from subscriptions where id = ?1 and version = ?2)`,
    )
    .bind(id, version)
}

/**
 * Makes a test by e-mail, due at once. Returns false when too many tests of the alert are unsent.
 * Two tests in the same millisecond are one test, and the second does not count for the limit.
 */
export async function makeMailTest(
  db: D1Database,
  { id, accountId }: Own,
  body: string,
  now: Instant,
): Promise<boolean> {
  const { made } = await namedBatch(db, {
    made: db
      .prepare(
        `insert into alert_firings (at, alert_id, kind, body)
         select ?1, id, 'test', ?3 from subscriptions
         where id = ?2 and account_id = ?4 and destination is null
           and (select count(*) from alert_firings where alert_id = ?2 and at > ?1 - ${DAY_MS}
             and at <> ?1 and kind = 'test') < ${OPEN_TESTS}
         on conflict (alert_id, at, kind) do update set body = excluded.body returning at`,
      )
      .bind(now, id, body, accountId),
    due: db
      .prepare(`update alerts set mail_due_at = ?1 where id = ?2 and changes() = 1`)
      .bind(now, id),
  })
  return made.results.length > 0
}
