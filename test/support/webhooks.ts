import { sql } from 'drizzle-orm'
import { findPairByKey } from '../../shared/market/catalog.ts'
import type { CurrentQuote } from '../../shared/db/quotes/quotes.ts'
import type { subscriptions } from '../../shared/db/schema.ts'
import { openDatabase } from '../../shared/db/database.ts'
import * as schema from '../../shared/db/schema.ts'
import { aDeliveryId } from './delivery-id.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { env } from './env.ts'
import { art } from './instant.ts'
import { setOpen } from '../../tools/prove/harness/rows.ts'

type WebhookRow = typeof subscriptions.$inferInsert

/** Stores a valid active webhook on the blue dollar, changed only where the test speaks of it. */
export async function seedWebhook(changes: Partial<WebhookRow> = {}): Promise<WebhookRow> {
  const webhook: WebhookRow = {
    id: crypto.randomUUID(),
    accountId: 'an-account',
    operationId: crypto.randomUUID(),
    kind: 'webhook',
    channel: 'https',
    pair: findPairByKey('usd/blue')!.id,
    destination: 'https://receptor.example/***',
    urlSealed: 'sealed',
    authorizationSealed: null,
    secretSealed: 'sealed',
    enabled: true,
    state: 'active',
    source: 'v2',
    version: 1,
    revision: 1,
    episode: 1,
    consecutiveFailures: 0,
    needsSync: false,
    createdAt: art('2026-03-01 10:00'),
    ...changes,
  }
  await openDatabase(env.DB).insert(schema.subscriptions).values(webhook)
  return webhook
}

/** Stores a pair's value in effect since 2026-03-02 11:55, and gives it. */
export async function seedQuote(
  key: string,
  buy: number,
  sell: number,
  updatedAt = art('2026-03-02 11:55'),
): Promise<CurrentQuote> {
  const quote = {
    pair: findPairByKey(key)!,
    buy: numberToPrice(buy),
    sell: numberToPrice(sell),
    source: 'test',
    updatedAt,
    referenceSell: null,
  }
  const row = { ...quote, pair: quote.pair.id }
  await openDatabase(env.DB)
    .insert(schema.currentQuotes)
    .values(row)
    .onConflictDoUpdate({ target: schema.currentQuotes.pair, set: row })
  return { ...quote, lastScrapedAt: updatedAt }
}

/** Every delivery, oldest first. */
export async function readDeliveries(): Promise<(typeof schema.deliveries.$inferSelect)[]> {
  return openDatabase(env.DB).select().from(schema.deliveries).orderBy(schema.deliveries.id)
}

export async function readWebhook(id: string): Promise<typeof subscriptions.$inferSelect> {
  const rows = await openDatabase(env.DB).select().from(schema.subscriptions)
  return rows.find((row) => row.id === id)!
}

/** How many deliveries are accepted and not finished, as the counter has it. */
export async function readOutstanding(): Promise<number> {
  const row = await env.DB.prepare('select outstanding from open_deliveries').first<{
    outstanding: number
  }>()
  return row?.outstanding ?? 0
}

export async function setOutstanding(outstanding: number): Promise<void> {
  await env.DB.prepare(setOpen(outstanding)).run()
}

const isOpen = (status: string) => ['pending', 'sending', 'failed'].includes(status)

type DeliveryRow = Partial<typeof schema.deliveries.$inferInsert>

/** Stores a valid waiting delivery with its place, changed only where the test speaks of it. */
export async function insertDelivery(changes: DeliveryRow & { subscriptionId: string }) {
  const at = art('2026-03-02 11:59')
  const { status = 'pending', createdAt = at } = changes
  const db = openDatabase(env.DB)
  const insertion = db
    .insert(schema.deliveries)
    .values({
      deliveryId: aDeliveryId(createdAt),
      accountId: 'an-account',
      revision: 1,
      pair: findPairByKey('usd/blue')!.id,
      destination: 'https://receptor.example/***',
      type: 'automatic',
      status,
      attempts: 0,
      releases: 0,
      body: '{}',
      createdAt,
      nextAttemptAt: at,
      lookAt: at + 30_000,
      resolvedAt: isOpen(status) ? null : createdAt,
      ...changes,
    })
    .returning({ id: schema.deliveries.id })
  // One batch: tests seed while the service counts.
  const place = db.run(sql.raw(setOpen(isOpen(status) ? 1 : 0, 'by')))
  const [[row]] = await db.batch([insertion, place])
  return row!.id
}

/** The same of a webhook: one that is off is made where the test has none. */
export async function seedDelivery(changes: DeliveryRow = {}): Promise<number> {
  const { accountId = 'an-account', subscriptionId = `webhook of ${accountId}` } = changes
  if (!(await readWebhook(subscriptionId)))
    await seedWebhook({
      id: subscriptionId,
      accountId,
      enabled: false,
      state: 'inherited',
      source: 'v1',
    })
  return insertDelivery({ ...changes, subscriptionId })
}
