import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import {
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  DELIVERY_TYPES,
  REDELIVERIES,
} from '../../webhooks/delivery.ts'
import {
  SUBSCRIPTION_CHANNELS,
  SUBSCRIPTION_KINDS,
  WEBHOOK_SOURCES,
  WEBHOOK_STATES,
} from '../../webhooks/webhook.ts'

/**
 * Who is notified: webhooks of each change of their pair, alerts of what they watch (alerts.ts).
 */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    /** UUID, lower case. */
    id: text().primaryKey(),
    accountId: text().notNull(),
    operationId: text().notNull(),
    kind: text({ enum: SUBSCRIPTION_KINDS }).notNull(),
    /** Null for an alert by e-mail: it goes to its account's address and makes no delivery. */
    channel: text({ enum: SUBSCRIPTION_CHANNELS }).notNull(),
    pair: integer().notNull(),
    /** Masked: scheme and host, then `/***` when there is more. */
    destination: text(),
    urlSealed: text(),
    authorizationSealed: text(),
    /** An alert by e-mail has one too, because it may become one by webhook. */
    secretSealed: text().notNull(),
    enabled: integer({ mode: 'boolean' }).notNull(),
    state: text({ enum: WEBHOOK_STATES }).notNull(),
    source: text({ enum: WEBHOOK_SOURCES }).notNull(),
    /** Grows with every accepted mutation and every state change; the owner's concurrency token. */
    version: integer().notNull(),
    /**
     * Grows when waiting deliveries must no longer be sent; each delivery has the revision of its
     * creation.
     */
    revision: integer().notNull(),
    /** Grows with each activation; a failure notice is unique per episode. */
    episode: integer().notNull(),
    consecutiveFailures: integer().notNull(),
    needsSync: integer({ mode: 'boolean' }).notNull(),
    /**
     * The revision whose sync was made last. A sync is owed while `needs_sync` is set and this
     * differs from `revision`, so a sync that ended dead is not repeated (decision 42: how syncs
     * end). After a correction of the value in effect it is -1 until the sync is made: no delivery of
     * the wrong value pays it.
     */
    syncedRevision: integer().notNull().default(0),
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
      .where(sql`needs_sync = 1 and synced_revision <> revision`),
    index('subscriptions_suspended')
      .on(table.id)
      .where(sql`state = 'capacity'`),
    check('subscriptions_kind', sql`kind = 'alert' or (kind = 'webhook' and channel = 'https')`),
    check(
      'subscriptions_channel',
      sql`iif(channel = 'https', destination is not null and url_sealed is not null,
        coalesce(destination, url_sealed, authorization_sealed) is null)`,
    ),
  ],
)

/**
 * The outbox and the schedule: the row is the truth, queue messages are hints. AUTOINCREMENT, so
 * that an id is never used twice and per-webhook order survives pruning.
 */
export const deliveries = sqliteTable(
  'deliveries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** UUID v7 of `created_at`; the receiver's key for deduplication. */
    deliveryId: text().notNull(),
    /** `system` for the system destination. */
    subscriptionId: text().notNull(),
    /** `system` for the system destination. */
    accountId: text().notNull(),
    revision: integer().notNull(),
    pair: integer().notNull(),
    destination: text().notNull(),
    type: text({ enum: DELIVERY_TYPES }).notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    /** Those of the present round: a redelivery begins anew. */
    attempts: integer().notNull(),
    /**
     * Null until its owner requests a redelivery. From then on it is outside its webhook's order.
     */
    redelivery: text({ enum: REDELIVERIES }),
    /** Claims released because of faults of our own (decision 44: whose fault it is). */
    releases: integer().notNull(),
    code: integer(),
    errorType: text({ enum: DELIVERY_ERRORS }),
    /** The payload's exact bytes, fixed when the event was made. */
    body: text().notNull(),
    createdAt: integer().notNull(),
    nextAttemptAt: integer().notNull(),
    lastAttemptAt: integer(),
    /** `last_attempt_at` before the current claim. A claim that sends nothing restores it. */
    previousAttemptAt: integer(),
    /**
     * Null exactly while the row is `pending`, `sending` or `failed`: the indexes of open rows rely
     * on it.
     */
    resolvedAt: integer(),
    leaseToken: text(),
    leaseUntil: integer(),
    /**
     * When the sweeper looks at it next: some time after its last hint or look, so that a backlog
     * does not grow. When its creation sent a hint it is null until a sweep or a retry sets it, and
     * the row is in `deliveries_new` by id. Without a hint it is the instant of the creation. A
     * claim does not write it, because that would write two indexes.
     */
    lookAt: integer(),
  },
  (table) => [
    // A written row each: every delivery writes the first three.
    // Lists, and a delivery by its id, whose instant is that of its creation.
    index('deliveries_made').on(table.subscriptionId, table.createdAt),
    // What is open of a subscription: its order, its tests, its redeliveries.
    index('deliveries_open')
      .on(table.subscriptionId)
      .where(sql`resolved_at is null`),
    // Open rows that no sweep has seen, by age.
    index('deliveries_new')
      .on(table.id)
      .where(sql`resolved_at is null and look_at is null`),
    // The other open rows: by the next look, and, without redeliveries, by age.
    index('deliveries_look')
      .on(table.lookAt)
      .where(sql`resolved_at is null and look_at is not null`),
    index('deliveries_begun')
      .on(table.id)
      .where(sql`resolved_at is null and look_at is not null and redelivery is null`),
  ],
)

/**
 * Of each delivery: `head`, the first open one of its order; whether its webhook still wants it; and
 * whether another redelivery of its order is being sent, because an earlier one may be opened
 * meanwhile. A test, or a redelivery `alone`, has no order: its head is itself (decisions 22 to 25, 77).
 */
export const deliveryOrder = sqliteView('delivery_order', {}).as(sql`select d.id,
  case
    when d.redelivery = 'in order' then (
      select p.id from deliveries p where p.subscription_id = d.subscription_id
        and p.resolved_at is null and p.redelivery = 'in order' order by p.id limit 1)
    when d.redelivery is null and d.type <> 'manual' then (
      select p.id from deliveries p where p.subscription_id = d.subscription_id
        and p.resolved_at is null and p.type <> 'manual' and p.redelivery is null
        order by p.id limit 1)
    else d.id end as head,
  d.subscription_id = 'system' or exists (
    select 1 from subscriptions w where w.id = d.subscription_id
      and iif(d.redelivery is not null, w.channel = 'https' and w.state in ('active', 'capacity'),
        d.type = 'manual' or (w.revision = d.revision and w.state in ('active', 'capacity')))
    ) as is_eligible,
  d.redelivery is 'in order' and exists (
    select 1 from deliveries p where p.subscription_id = d.subscription_id
      and p.resolved_at is null and p.redelivery = 'in order' and p.status = 'sending'
    ) as is_beside_another
  from deliveries d`)

/**
 * Webhooks that are owed a sync of the value in effect. Each is made once: the trigger
 * `subscriptions_synced` takes its webhook out.
 */
export const owedSyncs = sqliteView('owed_syncs', {})
  .as(sql`select w.id, w.account_id, w.revision, w.destination, q.pair, q.buy, q.sell, q.updated_at
  from subscriptions w join current_quotes q on q.pair = w.pair
  where w.needs_sync = 1 and w.synced_revision <> w.revision and w.state = 'active'
    and w.kind = 'webhook'`)

/** Webhooks that had no capacity, and of which every earlier delivery has ended. */
export const resumableWebhooks = sqliteView('resumable_webhooks', {})
  .as(sql`select w.id, w.account_id from subscriptions w
  where w.state = 'capacity' and not exists (
    select 1 from deliveries p where p.subscription_id = w.id
      and p.resolved_at is null and p.type <> 'manual' and p.redelivery is null)`)

/** Open deliveries by the account of their subscription. */
export const openOfAccounts = sqliteView('open_of_accounts', {})
  .as(sql`select w.account_id, d.type, d.redelivery
  from subscriptions w join deliveries d on d.subscription_id = w.id and d.resolved_at is null`)

/** One row per failure episode. Without an e-mail binding it stays, marked as unsent. */
export const notices = sqliteTable(
  'notices',
  {
    subscriptionId: text().notNull(),
    episode: integer().notNull(),
    createdAt: integer().notNull(),
    /** How the attempt ended that paused it. */
    code: integer(),
    errorType: text({ enum: DELIVERY_ERRORS }),
    sentAt: integer(),
    /** When it was given up, because no e-mail was taken for a day. */
    droppedAt: integer(),
    /** How often sending it failed. */
    failures: integer().notNull().default(0),
    /** When it is due again; 0 until it fails, so that new ones come first. */
    dueAt: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.subscriptionId, table.episode] }),
    index('notices_unsent')
      .on(table.createdAt)
      .where(sql`sent_at is null and dropped_at is null`),
  ],
)

/**
 * One row, which the migration makes: how many deliveries are open, and how many ended in the current
 * five minutes. Triggers of `deliveries` count them (triggers.sql).
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
 * How many deliveries ended in each past five minutes, so that the last hour is a few rows. The
 * trigger `open_deliveries_tallied` (migrations/0000_schema.sql) writes them.
 */
export const deliveryTallies = sqliteTable('delivery_tallies', {
  /** Start of the five minutes. */
  at: integer().primaryKey(),
  delivered: integer().notNull(),
  dead: integer().notNull(),
})

/** All tallies; the last `at` may be there twice. */
export const tallies = sqliteView('tallies', {})
  .as(sql`select at, delivered, dead from delivery_tallies
  union all select tally_at, delivered, dead from open_deliveries`)
