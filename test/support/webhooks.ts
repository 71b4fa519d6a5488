/** Valid rows of subscriptions and deliveries, with the changes of the test. */
import type { Instant } from '../../shared/argentine-time.ts'
import { openKeyring } from '../../shared/crypto/sealed-box.ts'
import type { CurrentQuote } from '../../shared/db/quotes/quotes.ts'
import { openDatabase } from '../../shared/db/accounts.ts'
import * as schema from '../../shared/db/schema.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import type { SubscriptionContext } from '../../shared/subscriptions/context.ts'
import { sealFields } from '../../shared/subscriptions/sealed-fields.ts'
import { exampleOf } from '../../shared/api/operation.ts'
import { webhookEvent } from '../../workers/site/reference/events.ts'
import { setOpen } from '../../tools/prove/harness/rows.ts'
import { insertAccount } from './accounts.ts'
import { env } from './env.ts'
import { art } from './instant.ts'
import { randomBytes as random } from '../../tools/support/random.ts'
import { insertRow, readRows } from './rows.ts'

export const NOW = art('2026-03-02 12:00')
export const SECRET = '0123456789abcdef'.repeat(4)

/** The body of a delivery of USD/BLUE. */
export const BODY = JSON.stringify(exampleOf(webhookEvent()))

const BLUE = findPairByKey('usd/blue')!.id

/** The keyring of the Workers under test. */
export const keyring = () => openKeyring(env.KEY_ENCRYPTION_KEYS)

/** The context of subscription functions, with admission open. */
export function management(change: Partial<SubscriptionContext> = {}): SubscriptionContext {
  return {
    db: env.DB,
    keyring: keyring(),
    ownHosts: [],
    admitted: true,
    sendsMail: true,
    reachesAddresses: true,
    capacity: 1000,
    now: NOW,
    random,
    ...change,
  }
}

type WebhookRow = typeof schema.subscriptions.$inferInsert

interface WebhookSeed extends Partial<WebhookRow> {
  host?: string
  url?: string
  authorization?: string | null
}

/** Stores an active webhook of USD/BLUE with its own host. Returns its id. */
export async function seedWebhook(seed: WebhookSeed = {}): Promise<string> {
  const { id = crypto.randomUUID(), authorization = null, ...changes } = seed
  const { host = `${id}.example.com`, url = `https://${host}/hook?token=hidden`, ...row } = changes
  const sealed = await sealFields(keyring(), id, { url, authorization, secret: SECRET })
  const { state = 'active', revision = 1 } = row
  await insertRow('subscriptions', {
    id,
    accountId: 'account',
    operationId: crypto.randomUUID(),
    kind: 'webhook',
    pair: BLUE,
    destination: `https://${host}/***`,
    urlSealed: sealed.url,
    authorizationSealed: sealed.authorization,
    secretSealed: sealed.secret,
    state,
    source: 'v2',
    version: 1,
    revision,
    consecutiveFailures: 0,
    createdAt: NOW,
    ...row,
  })
  return id
}

/** A webhook that failed, and its notice to its own mailbox. */
export async function seedNotice(mailbox = 'ana@example.com', createdAt = NOW): Promise<string> {
  const id = await seedWebhook({ state: 'failure', accountId: mailbox })
  await insertAccount(mailbox, mailbox)
  await insertRow('notices', { subscriptionId: id, createdAt })
  return id
}

/** Stores and returns a pair's value in effect since 2026-03-02 11:55. */
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
  // One statement, because tests seed the same pair concurrently.
  const insertion = openDatabase(env.DB).insert(schema.currentQuotes).values(row)
  await insertion.onConflictDoUpdate({ target: schema.currentQuotes.pair, set: row })
  return { ...quote, lastScrapedAt: updatedAt }
}

/** A UUID v7 of an instant, like those of the database (`deliveryIdSql`). */
export function aDeliveryId(at: Instant): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`
}

const isOpen = (status: string) => ['pending', 'sending', 'failed'].includes(status)

type DeliveryRow = typeof schema.deliveries.$inferInsert
type DeliverySeed = Partial<Omit<DeliveryRow, 'status'>> & { status?: string; host?: string }

/** Stores a waiting automatic delivery of a webhook. Returns its row id. */
export async function insertDelivery(
  subscriptionId: string,
  { host = `${subscriptionId}.example.com`, ...seed }: DeliverySeed = {},
): Promise<number> {
  const { status = 'pending', createdAt = NOW } = seed
  const row = {
    deliveryId: aDeliveryId(createdAt),
    subscriptionId,
    revision: 1,
    pair: BLUE,
    destination: `https://${host}/***`,
    type: 'automatic',
    status,
    attempts: 0,
    releases: 0,
    body: BODY,
    createdAt,
    nextAttemptAt: NOW,
    lookAt: NOW + 30_000,
    leaseToken: status === 'sending' ? 'old token' : null,
    resolvedAt: isOpen(status) ? null : createdAt,
    ...seed,
  } as DeliveryRow
  const insertion = openDatabase(env.DB).insert(schema.deliveries).values(row)
  const [inserted] = await insertion.returning({ id: schema.deliveries.id })
  return inserted!.id
}

/** Every delivery, oldest first. */
export async function readDeliveries(): Promise<(typeof schema.deliveries.$inferSelect)[]> {
  return openDatabase(env.DB).select().from(schema.deliveries).orderBy(schema.deliveries.id)
}

export async function readWebhook(id: string): Promise<typeof schema.subscriptions.$inferSelect> {
  return (await readRows('subscriptions', { id }))[0]!
}

export async function readDelivery(id: number): Promise<typeof schema.deliveries.$inferSelect> {
  return (await readRows('deliveries', { id }))[0]!
}

/** The number of open deliveries, from the counter. */
export async function readOutstanding(): Promise<number> {
  return (await readRows('openDeliveries'))[0]?.outstanding ?? 0
}

/** The numbers of confirmed and dead deliveries, from the tallies. */
export function readTallies(): Promise<{ delivered: number; dead: number } | null> {
  return env.DB.prepare(
    `select sum(delivered) as delivered, sum(dead) as dead from tallies`,
  ).first()
}

export async function setOutstanding(outstanding: number): Promise<void> {
  await env.DB.prepare(setOpen(outstanding)).run()
}
