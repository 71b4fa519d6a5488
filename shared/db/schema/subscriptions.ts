import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { DELIVERY_ERRORS, DELIVERY_STATUSES, DELIVERY_TYPES } from '../../webhooks/delivery.ts'
import { SUBSCRIPTION_KINDS, WEBHOOK_SOURCES, WEBHOOK_STATES } from '../../webhooks/webhook.ts'

/** Webhooks, which get each change of their pair, and alerts, which follow a rule (alerts.ts). */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    /** UUID, lower case. */
    id: text().primaryKey(),
    accountId: text().notNull(),
    operationId: text().notNull(),
    kind: text({ enum: SUBSCRIPTION_KINDS }).notNull(),
    pair: integer().notNull(),
    /**
     * Masked: scheme and host, then `/***` if the URL has more. Null for an alert by e-mail, which
     * goes to the account's address and makes no delivery.
     */
    destination: text(),
    urlSealed: text(),
    authorizationSealed: text(),
    /** An alert by e-mail has a secret too, because an edit may give it a URL. */
    secretSealed: text().notNull(),
    state: text({ enum: WEBHOOK_STATES }).notNull(),
    source: text({ enum: WEBHOOK_SOURCES }).notNull(),
    /** Grows with every edit and change of state. Edits must name it, which detects conflicts. */
    version: integer().notNull(),
    /**
     * Grows when waiting deliveries are cancelled. A delivery keeps the revision at its creation.
     */
    revision: integer().notNull(),
    consecutiveFailures: integer().notNull(),
    /**
     * `owed`: the next sweep makes a sync of this revision. `made`: the sync, or a later delivery
     * of the revision, has not arrived yet. A dead sync is not repeated (decision 42: how syncs
     * end).
     */
    sync: text({ enum: ['owed', 'made'] }),
    createdAt: integer().notNull(),
  },
  (table) => [
    uniqueIndex('subscriptions_operation').on(table.accountId, table.operationId),
    index('subscriptions_webhooks')
      .on(table.pair, table.state)
      .where(sql`kind = 'webhook'`),
    index('subscriptions_alerts')
      .on(table.pair, table.state)
      .where(sql`kind = 'alert'`),
    index('subscriptions_owed_sync')
      .on(table.id)
      .where(sql`sync = 'owed'`),
    index('subscriptions_suspended')
      .on(table.id)
      .where(sql`state = 'capacity'`),
    check('subscriptions_kind', sql`kind = 'alert' or destination is not null`),
    check(
      'subscriptions_destination',
      sql`iif(destination is null, coalesce(url_sealed, authorization_sealed) is null,
        url_sealed is not null)`,
    ),
  ],
)

/**
 * The outbox and the schedule: the rows decide, queue messages are only hints. AUTOINCREMENT, so
 * that no id is used twice and the order of a webhook's deliveries survives pruning.
 */
export const deliveries = sqliteTable(
  'deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** UUID v7 of `created_at`; the receiver's key for deduplication. */
    deliveryId: text().notNull(),
    /** `system` for the system destination. */
    subscriptionId: text().notNull(),
    revision: integer().notNull(),
    pair: integer().notNull(),
    destination: text().notNull(),
    type: text({ enum: DELIVERY_TYPES }).notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    /** Attempts since the last redelivery, or since the creation. */
    attempts: integer().notNull(),
    /** Whether the delivery was reopened. Redeliveries have their own order. */
    redelivered: integer({ mode: 'boolean' }).notNull().default(false),
    /** Number of claims released because of a fault of ours (decision 44: whose fault). */
    releases: integer().notNull(),
    code: integer(),
    errorType: text({ enum: DELIVERY_ERRORS }),
    /** The exact payload, fixed when the event was made. */
    body: text().notNull(),
    createdAt: integer().notNull(),
    nextAttemptAt: integer().notNull(),
    /** The start of the last finished attempt: when its row was claimed. */
    lastAttemptAt: integer(),
    /** Null exactly while `pending`, `sending` or `failed`, which the indexes of open rows need. */
    resolvedAt: integer(),
    leaseToken: text(),
    leaseUntil: integer(),
    /**
     * When a sweep next looks at the row: some time after the last hint or look, so that sweeps do
     * not repeat the hints of a backlog. If the creation sent a hint, this is null until a sweep or
     * a retry sets it, and `deliveries_new` lists the row by id. Without a hint, it is the instant
     * of the creation. A claim does not write this, because that would write two indexes.
     */
    lookAt: integer(),
  },
  (table) => [
    // Each index costs a written row, and every delivery writes the first three. This index serves
    // lists, and finds a delivery by its id, which contains the instant of its creation.
    index('deliveries_made').on(table.subscriptionId, table.createdAt),
    // All open rows of a subscription, including tests and redeliveries.
    index('deliveries_open')
      .on(table.subscriptionId)
      .where(sql`resolved_at is null`),
    // Open rows that no sweep has seen, by age.
    index('deliveries_new')
      .on(table.id)
      .where(sql`resolved_at is null and look_at is null`),
    // The other open rows, by next look and, without redeliveries, by age.
    index('deliveries_look')
      .on(table.lookAt)
      .where(sql`resolved_at is null and look_at is not null`),
    index('deliveries_begun')
      .on(table.id)
      .where(sql`resolved_at is null and look_at is not null and not redelivered`),
  ],
)

/**
 * For each delivery: `head`, the first open delivery in the same order; whether its webhook may
 * still send it; and whether another redelivery of that order is being sent, because an earlier
 * delivery may be reopened meanwhile. A test is its own head (decisions 22 to 25, 77).
 */
export const deliveryOrder = sqliteView('delivery_order', {}).as(sql`select d.id,
  iif(d.type = 'manual', d.id, (
    select p.id from deliveries p where p.subscription_id = d.subscription_id
      and p.resolved_at is null and p.type <> 'manual' and p.redelivered = d.redelivered
      order by p.id limit 1)) as head,
  d.subscription_id = 'system' or exists (
    select 1 from subscriptions w where w.id = d.subscription_id
      and iif(d.redelivered, w.destination is not null and w.state in ('active', 'capacity'),
        d.type = 'manual' or (w.revision = d.revision and w.state in ('active', 'capacity')))
    ) as is_eligible,
  d.redelivered and d.type <> 'manual' and exists (
    select 1 from deliveries p where p.subscription_id = d.subscription_id
      and p.resolved_at is null and p.redelivered and p.type <> 'manual' and p.status = 'sending'
    ) as is_beside_another
  from deliveries d`)

/**
 * Webhooks that are owed a sync of the current value. When the sync is inserted, the trigger
 * `subscriptions_synced` removes the webhook from this view.
 */
export const owedSyncs = sqliteView('owed_syncs', {})
  .as(sql`select w.id, w.account_id, w.revision, w.destination, q.pair, q.buy, q.sell, q.updated_at
  from subscriptions w join current_quotes q on q.pair = w.pair
  where w.sync = 'owed' and w.state = 'active' and w.kind = 'webhook'`)

/** Webhooks suspended for lack of capacity whose deliveries have all ended. */
export const resumableWebhooks = sqliteView('resumable_webhooks', {})
  .as(sql`select w.id, w.account_id from subscriptions w
  where w.state = 'capacity' and not exists (
    select 1 from deliveries p where p.subscription_id = w.id
      and p.resolved_at is null and p.type <> 'manual' and not p.redelivered)`)

/**
 * Deliveries with their account, and with whether their subscription accepts redeliveries: it must
 * be enabled and have a URL.
 */
export const ownedDeliveries = sqliteView('owned_deliveries', {})
  .as(sql`select d.id, d.delivery_id, d.created_at, d.type, d.redelivered, d.resolved_at,
  w.account_id, w.kind, w.destination is null as is_by_email,
  w.destination is not null and w.state in ('active', 'capacity') as takes
  from subscriptions w join deliveries d on d.subscription_id = w.id`)

/**
 * Notices that failures paused a subscription. The sweep deletes a notice when it sends the e-mail.
 * Without an e-mail binding, notices stay.
 */
export const notices = sqliteTable(
  'notices',
  {
    subscriptionId: text()
      .primaryKey()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    /** When the subscription was paused. */
    createdAt: integer().notNull(),
    /** The status code of the attempt that paused the subscription. */
    code: integer(),
    errorType: text({ enum: DELIVERY_ERRORS }),
    /** When the notice is due. 0 until a refusal, so that new notices come first. */
    dueAt: integer().notNull().default(0),
  },
  (table) => [index('notices_due').on(table.dueAt)],
)

/**
 * One row, which the migration inserts: the number of open deliveries, and of deliveries that ended
 * in the current five minutes. Triggers of `deliveries` count both.
 */
export const openDeliveries = sqliteTable('open_deliveries', {
  id: integer().primaryKey(),
  outstanding: integer().notNull(),
  /** Start of the current five minutes. */
  tallyAt: integer().notNull().default(0),
  delivered: integer().notNull().default(0),
  dead: integer().notNull().default(0),
})

/**
 * The number of deliveries that ended in each period of five minutes, so that the last hour is a
 * few rows. The trigger `open_deliveries_tallied` (migrations/0000_schema.sql) writes them.
 */
export const deliveryTallies = sqliteTable('delivery_tallies', {
  /** Start of the five minutes. */
  at: integer().primaryKey(),
  delivered: integer().notNull(),
  dead: integer().notNull(),
})

/** All tallies. The current period may appear twice. */
export const tallies = sqliteView('tallies', {})
  .as(sql`select at, delivered, dead from delivery_tallies
  union all select tally_at, delivered, dead from open_deliveries`)
