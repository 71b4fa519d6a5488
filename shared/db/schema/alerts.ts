import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { CONDITIONS, PHASES, SIDES } from '../../alerts/alert.ts'
import { accounts } from './accounts.ts'
import { subscriptions } from './subscriptions.ts'

/** The rules of alerts. Their owner, destination, state and version are in `subscriptions`. */
export const alerts = sqliteTable(
  'alerts',
  {
    id: text()
      .primaryKey()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    side: text({ enum: SIDES }).notNull(),
    condition: text({ enum: CONDITIONS }).notNull(),
    /** A price, or hundredths of a percent. */
    threshold: integer().notNull(),
    hysteresis: integer().notNull(),
    otherPair: integer(),
    otherSide: text({ enum: SIDES }),
    repeats: integer({ mode: 'boolean' }).notNull(),
    /** Null until the first change after the alert was created, edited or activated. */
    phase: text({ enum: PHASES }),
    /** The last cycle whose change fired the alert. */
    firedAt: integer(),
    /** When the next e-mail of the alert is due. Null when no firing has to be reported. */
    mailDueAt: integer(),
    /** When the last e-mail was sent, not counting e-mails that report only tests. */
    mailedAt: integer(),
    /** When an event was last dropped, because the mail service refused its e-mail for a day. */
    mailDroppedAt: integer(),
  },
  (table) => [
    index('alerts_other_pair')
      .on(table.otherPair)
      .where(sql`other_pair is not null`),
    index('alerts_mail_due')
      .on(table.mailDueAt)
      .where(sql`mail_due_at is not null`),
  ],
)

/**
 * Events that an e-mail has to report: one row for each time that an alert fired or was tested. The
 * sweep that sends the e-mail deletes them. Only alerts with `mail_due_at` have firings.
 */
export const alertFirings = sqliteTable(
  'alert_firings',
  {
    alertId: text()
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    /** The instant of the cycle or of the test. */
    at: integer().notNull(),
    kind: text({ enum: ['triggered', 'test'] }).notNull(),
    body: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.alertId, table.at, table.kind] })],
)

/**
 * The number of alert e-mails of an account in one hour. The count belongs to the account, so that
 * deleting and creating alerts does not bypass the limit.
 */
export const alertMails = sqliteTable('alert_mails', {
  accountId: text()
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** Start of the hour. */
  hour: integer().notNull(),
  /** E-mails that were sent or are being sent. */
  mails: integer().notNull(),
})

/**
 * Active alerts: everything that the evaluation of an alert depends on, as one text, and the
 * current values. A batch compares them with what it read, to know whether its evaluation still
 * holds.
 */
export const standingAlerts = sqliteView('standing_alerts', {})
  .as(sql`select a.id, w.destination, a.fired_at,
  json_array(w.pair, a.side, a.condition, a.threshold, a.hysteresis, a.other_pair, a.other_side,
    a.repeats, a.phase) as as_read,
  (select json_array(q.buy, q.sell, q.updated_at) from current_quotes q
    where q.pair = w.pair) as quote,
  (select json_array(q.buy, q.sell, q.updated_at) from current_quotes q
    where q.pair = a.other_pair) as other_quote
  from subscriptions w join alerts a on a.id = w.id where w.state = 'active'`)
