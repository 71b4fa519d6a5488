import { openKeyring } from '../../shared/crypto/keyring.ts'
import { seal } from '../../shared/crypto/sealed-box.ts'
import type { SubscriptionContext } from '../../shared/subscriptions/context.ts'
import { env } from './env.ts'
import { random } from './random.ts'
import { BODY } from '../../tools/prove/harness/delivery-body.ts'
import { insertRows } from '../../tools/prove/harness/rows.ts'
import { insertAccount } from './accounts.ts'
import { changeRows, insertRow } from './rows.ts'
import * as webhooks from './webhooks.ts'

export const NOW = Date.UTC(2026, 2, 2, 15, 0, 0)
export const SECRET = '0123456789abcdef'.repeat(4)

/** The keyring of tests. */
export const keyring = () => openKeyring(`test:${btoa('k'.repeat(32))}`)

/** The rules of subscriptions, with admission open. */
export function management(change: Partial<SubscriptionContext> = {}): SubscriptionContext {
  const ways = { ownHosts: [], sendsMail: true, reachesAddresses: true }
  const fixed = { db: env.DB, keyring: keyring(), ...ways, admitted: true, capacity: 1000 }
  return { ...fixed, now: NOW, random, ...change }
}

interface WebhookSeed {
  id: string
  host: string
  state: 'active' | 'manual' | 'failure' | 'capacity' | 'inherited'
  revision: number
  failures: number
  needsSync: boolean
  syncedRevision: number
  authorization: string | null
  url: string
}

/** An active webhook of USD/BLUE, changed only where a test speaks of it. */
export async function seedWebhook(seed: Partial<WebhookSeed> = {}): Promise<string> {
  const id = seed.id ?? crypto.randomUUID()
  const { host = `${id}.example.com`, state = 'active', revision = 1, failures = 0 } = seed
  const { needsSync = false, syncedRevision = revision, authorization = null } = seed
  const url = seed.url ?? `https://${host}/hook?token=hidden`
  const sealed = (column: string, text: string) =>
    seal(keyring(), { table: 'subscriptions', column, id }, text)

  await webhooks.seedWebhook({
    id,
    accountId: 'account',
    destination: `https://${host}/***`,
    urlSealed: await sealed('url_sealed', url),
    authorizationSealed:
      authorization === null ? null : await sealed('authorization_sealed', authorization),
    secretSealed: await sealed('secret_sealed', SECRET),
    enabled: state === 'active' || state === 'capacity',
    state,
    revision,
    consecutiveFailures: failures,
    needsSync,
    createdAt: NOW,
    syncedRevision,
  })
  return id
}

type Row = Parameters<typeof webhooks.insertDelivery>[0]
type DeliverySeed = Omit<Row, 'status'> & { status: string; host: string }

/** A pending automatic delivery of a webhook, its place reserved; returns its row id. */
export function seedDelivery(
  subscriptionId: string,
  { host = `${subscriptionId}.example.com`, ...seed }: Partial<DeliverySeed> = {},
): Promise<number> {
  return webhooks.insertDelivery({
    subscriptionId,
    accountId: 'account',
    destination: `https://${host}/***`,
    body: BODY,
    createdAt: NOW,
    nextAttemptAt: NOW,
    lookAt: NOW + 30_000,
    leaseToken: seed.status === 'sending' ? 'old token' : null,
    ...(seed as Partial<Row>),
  })
}

export async function seedQuote(pair = 3): Promise<void> {
  await env.DB.prepare(insertRows('current_quotes', { pair: '?1', updated_at: '?2' }))
    .bind(pair, NOW)
    .run()
}

export async function deliveryRow(id: number) {
  return env.DB.prepare('select * from deliveries where id = ?1')
    .bind(id)
    .first<Record<string, unknown>>()
}

export async function webhookRow(id: string) {
  return env.DB.prepare('select * from subscriptions where id = ?1')
    .bind(id)
    .first<Record<string, unknown>>()
}

export const outstanding = webhooks.readOutstanding

/** A webhook that failed, and the notice of it to a mailbox of its own. */
export async function seedNotice(mailbox = 'ana@example.com', createdAt = NOW): Promise<string> {
  const id = await seedWebhook({ state: 'failure' })
  await insertAccount(mailbox, mailbox)
  await changeRows('subscriptions', { accountId: mailbox }, { id })
  await insertRow('notices', { subscriptionId: id, episode: 1, createdAt })
  return id
}
