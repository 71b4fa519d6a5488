import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
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
  RECEIVER_CHANNELS,
  RECEIVER_KINDS,
  WEBHOOK_SOURCES,
  WEBHOOK_STATES,
} from '../../webhooks/webhook.ts'

/** Who is told: webhooks by each change of their pair, alerts by what they watch (alerts.ts). */
export const receivers = sqliteTable(
  'receivers',
  {
    /** UUID, lower case. */
    id: text().primaryKey(),
    accountId: text().notNull(),
    operationId: text().notNull(),
    kind: text({ enum: RECEIVER_KINDS }).notNull(),
    /** An alert by e-mail goes to its account's address: it has no URL and makes no delivery. */
    channel: text({ enum: RECEIVER_CHANNELS }).notNull(),
    pair: integer().notNull(),
    /** Masked: scheme and host, then `/***` when there is more. */
    destination: text(),
    urlSealed: text(),
    authorizationSealed: text(),
    /** Also of an alert by e-mail, which may become one by webhook. */
    secretSealed: text().notNull(),
    enabled: integer({ mode: 'boolean' }).notNull(),
    state: text({ enum: WEBHOOK_STATES }).notNull(),
    source: text({ enum: WEBHOOK_SOURCES }).notNull(),
    /** Grows with every accepted mutation and every state change; the owner's concurrency token. */
    version: integer().notNull(),
    /** Grows when waiting deliveries must not go out any more; a delivery carries its own. */
    revision: integer().notNull(),
    /** Grows with each activation; a failure notice is unique per episode. */
    episode: integer().notNull(),
    consecutiveFailures: integer().notNull(),
    needsSync: integer({ mode: 'boolean' }).notNull(),
    /**
     * The revision whose sync was made last. A sync is owed while `needs_sync` is set and this is
     * not `revision`, so a sync that ended dead is not made again by itself (decision 42: how syncs
     * end).
     */
    syncedRevision: integer().notNull().default(0),
    createdAt: integer().notNull(),
  },
  (table) => [
    uniqueIndex('receivers_operation').on(table.accountId, table.operationId),
    index('receivers_webhooks')
      .on(table.pair, table.state)
      .where(sql`kind = 'webhook'`),
    index('receivers_alerts')
      .on(table.pair, table.state)
      .where(sql`kind = 'alert'`),
    index('receivers_owed_sync')
      .on(table.id)
      .where(sql`needs_sync = 1 and synced_revision <> revision`),
    index('receivers_suspended')
      .on(table.id)
      .where(sql`state = 'capacity'`),
    check('receivers_kind', sql`kind = 'alert' or (kind = 'webhook' and channel = 'https')`),
    check(
      'receivers_channel',
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
    receiverId: text().notNull(),
    /** `system` for the system destination. */
    accountId: text().notNull(),
    revision: integer().notNull(),
    pair: integer().notNull(),
    destination: text().notNull(),
    type: text({ enum: DELIVERY_TYPES }).notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    /** All of them; a redelivery goes on counting. */
    attempts: integer().notNull(),
    /** How many were made when it was last opened again. */
    attemptsBefore: integer().notNull().default(0),
    /** Null until its owner has it go out again; from then on it is not in its webhook's order. */
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
    /** Null exactly while the row is `pending`, `sending` or `failed`: the indexes of open rows ask it. */
    resolvedAt: integer(),
    leaseToken: text(),
    leaseUntil: integer(),
    /**
     * When the sweeper looks at it next: some time after its last hint or look, so that a backlog is
     * not amplified. Null until a sweep or a retry sets it where its creation sent a hint; such rows
     * are in `deliveries_new` by id. Without a hint it is the instant of the creation. A claim leaves
     * it alone: to write it would write two indexes.
     */
    lookAt: integer(),
  },
  (table) => [
    // Every delivery writes the first two and no other: each is a written row that is paid for.
    // The first has a receiver's rows by id, the second the open ones that no sweep has seen.
    index('deliveries_receiver').on(table.receiverId),
    index('deliveries_new')
      .on(table.id)
      .where(sql`resolved_at is null and look_at is null`),
    index('deliveries_look')
      .on(table.lookAt)
      .where(sql`resolved_at is null and look_at is not null`),
    // Not those that go out again: they are older than they wait.
    index('deliveries_begun')
      .on(table.id)
      .where(sql`resolved_at is null and look_at is not null and redelivery is null`),
    // Open tests, which are in no order.
    index('deliveries_tests')
      .on(table.receiverId)
      .where(sql`resolved_at is null and type = 'manual'`),
    // Open redeliveries, of which few are at once.
    index('deliveries_redelivered')
      .on(table.receiverId)
      .where(sql`resolved_at is null and redelivery is not null`),
  ],
)

/** One row per failure episode; kept, marked unsent, where no e-mail binding exists. */
export const notices = sqliteTable(
  'notices',
  {
    receiverId: text().notNull(),
    episode: integer().notNull(),
    createdAt: integer().notNull(),
    sentAt: integer(),
    /** How often it was refused. */
    failures: integer().notNull().default(0),
    /** When it is due again; 0 until it is refused, so that new ones come first. */
    dueAt: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.receiverId, table.episode] }),
    index('notices_unsent')
      .on(table.createdAt)
      .where(sql`sent_at is null`),
  ],
)

/**
 * One row: how many deliveries are open, and how many ended in the current five minutes. Inserting
 * deliveries adds to it; shared/db/deliveries/outstanding.ts and tallies.ts take from it.
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
 * How many deliveries ended in each five minutes before the current ones, so that the last hour is
 * a few rows. The trigger `open_deliveries_tallied` (migrations/0000_schema.sql) writes them.
 */
export const deliveryTallies = sqliteTable('delivery_tallies', {
  /** Start of the five minutes. */
  at: integer().primaryKey(),
  delivered: integer().notNull(),
  dead: integer().notNull(),
})
