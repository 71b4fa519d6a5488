import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { DELIVERY_ERRORS, DELIVERY_STATUSES, DELIVERY_TYPES } from '../../webhooks/delivery.ts'
import { WEBHOOK_SOURCES, WEBHOOK_STATES } from '../../webhooks/webhook.ts'

export const webhooks = sqliteTable(
  'webhooks',
  {
    /** UUID, lower case. */
    id: text().primaryKey(),
    accountId: text().notNull(),
    operationId: text().notNull(),
    pair: integer().notNull(),
    /** Masked: scheme and host, then `/***` when there is more. */
    destination: text().notNull(),
    urlSealed: text().notNull(),
    authorizationSealed: text(),
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
     * The revision whose sync was made last. A sync is owed while `needs_sync` is set and this is not
     * `revision`, so a sync that ended dead is not made again by itself (decision 42).
     */
    syncedRevision: integer().notNull().default(0),
    createdAt: integer().notNull(),
  },
  (table) => [
    uniqueIndex('webhooks_operation').on(table.accountId, table.operationId),
    index('webhooks_pair').on(table.pair, table.state),
    index('webhooks_owed_sync')
      .on(table.id)
      .where(sql`needs_sync = 1 and synced_revision <> revision`),
    index('webhooks_capacity')
      .on(table.id)
      .where(sql`state = 'capacity'`),
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
    webhookId: text().notNull(),
    /** `system` for the system destination. */
    accountId: text().notNull(),
    revision: integer().notNull(),
    pair: integer().notNull(),
    destination: text().notNull(),
    type: text({ enum: DELIVERY_TYPES }).notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    attempts: integer().notNull(),
    /** Claims released because of faults of our own (decision 44). */
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
     * The instant of the last hint or look, in the future for a retry. The sweeper looks again some
     * time after it, so that it cannot amplify a backlog. Null until a sweep or a retry sets it, for
     * its creation sent a hint; such rows are in `deliveries_new` by id. A claim leaves it alone:
     * to write it would write two indexes.
     */
    hintedAt: integer(),
  },
  (table) => [
    // Every delivery writes the first two and no other: each is a written row that is paid for.
    // The first has a webhook's rows by id, the second the open ones that no sweep has seen.
    index('deliveries_webhook').on(table.webhookId),
    index('deliveries_new')
      .on(table.id)
      .where(sql`resolved_at is null and hinted_at is null`),
    index('deliveries_hinted')
      .on(table.hintedAt)
      .where(sql`resolved_at is null and hinted_at is not null`),
    index('deliveries_begun')
      .on(table.id)
      .where(sql`resolved_at is null and hinted_at is not null`),
    // Open tests, which are in no order.
    index('deliveries_tests')
      .on(table.webhookId)
      .where(sql`resolved_at is null and type = 'manual'`),
  ],
)

/** One row per failure episode; kept, marked unsent, where no e-mail binding exists. */
export const notices = sqliteTable(
  'notices',
  {
    webhookId: text().notNull(),
    episode: integer().notNull(),
    createdAt: integer().notNull(),
    sentAt: integer(),
    /** How often it was refused. */
    failures: integer().notNull().default(0),
    /** When it is due again; 0 until it is refused, so that new ones come first. */
    dueAt: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.episode] }),
    index('notices_unsent')
      .on(table.createdAt)
      .where(sql`sent_at is null`),
  ],
)

/**
 * One row: how many deliveries are open, and how many ended in the current five minutes. Inserting
 * deliveries adds to it; shared/db/deliveries/capacity.ts and tallies.ts take from it.
 */
export const capacity = sqliteTable('capacity', {
  id: integer().primaryKey(),
  outstanding: integer().notNull(),
  /** Start of the current five minutes. */
  tallyAt: integer().notNull().default(0),
  delivered: integer().notNull().default(0),
  dead: integer().notNull().default(0),
})

/**
 * How many deliveries ended in each five minutes before the current ones, so that the last hour is
 * a few rows. The trigger `capacity_tallied` (migrations/0012) writes them.
 */
export const deliveryTallies = sqliteTable('delivery_tallies', {
  /** Start of the five minutes. */
  at: integer().primaryKey(),
  delivered: integer().notNull(),
  dead: integer().notNull(),
})
