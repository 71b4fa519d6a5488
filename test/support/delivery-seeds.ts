import { openKeyring } from '../../shared/crypto/keyring.ts'
import { seal } from '../../shared/crypto/sealed-box.ts'
import { env } from './env.ts'

export const NOW = Date.UTC(2026, 2, 2, 15, 0, 0)
export const SECRET = '0123456789abcdef'.repeat(4)

/** The keyring of tests. */
export const keyring = () => openKeyring(`test:${btoa('k'.repeat(32))}`)

export const BODY = JSON.stringify({
  event: 'rate.updated',
  currency: 'USD',
  origin: 'BLUE',
  buy: 1410,
  sell: 1430,
  prevBuy: 1400,
  prevSell: 1420,
  changePct: 0.7,
  valueType: 'money',
  updatedAt: '2026-03-02T15:00:00.000Z',
  timestamp: '2026-03-02T15:00:01.000Z',
})

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
export async function seedWebhook(
  seed: Partial<WebhookSeed> = {},
  db: D1Database = env.DB,
): Promise<string> {
  const id = seed.id ?? crypto.randomUUID()
  const { host = `${id}.example.com`, state = 'active', revision = 1, failures = 0 } = seed
  const { needsSync = false, syncedRevision = revision, authorization = null } = seed
  const url = seed.url ?? `https://${host}/hook?token=hidden`
  const sealed = (column: string, text: string) =>
    seal(keyring(), { table: 'webhooks', column, id }, text)

  await db
    .prepare(
      `insert into webhooks (id, account_id, operation_id, pair, destination, url_sealed,
       authorization_sealed, secret_sealed, enabled, state, source, version, revision, episode,
       consecutive_failures, needs_sync, created_at, synced_revision)
     values (?1, 'account', ?1, 3, ?2, ?3, ?4, ?5, ?6, ?7, 'v2', 1, ?8, 1, ?9, ?10, ?11, ?12)`,
    )
    .bind(
      id,
      `https://${host}/***`,
      await sealed('url_sealed', url),
      authorization === null ? null : await sealed('authorization_sealed', authorization),
      await sealed('secret_sealed', SECRET),
      state === 'active' || state === 'capacity' ? 1 : 0,
      state,
      revision,
      failures,
      needsSync ? 1 : 0,
      NOW,
      syncedRevision,
    )
    .run()
  return id
}

interface DeliverySeed {
  type: 'automatic' | 'manual' | 'sync'
  status: string
  attempts: number
  releases: number
  revision: number
  nextAttemptAt: number
  createdAt: number
  hintedAt: number | null
  host: string
  leaseUntil: number
}

/** A pending automatic delivery of a webhook, its place reserved; returns its row id. */
export async function seedDelivery(
  webhookId: string,
  seed: Partial<DeliverySeed> = {},
): Promise<number> {
  const { type = 'automatic', status = 'pending', attempts = 0, releases = 0, revision = 1 } = seed
  const { nextAttemptAt = NOW, createdAt = NOW, hintedAt = NOW } = seed
  const [inserted] = await env.DB.batch<{ id: number }>([
    env.DB.prepare(
      `insert into deliveries (delivery_id, webhook_id, account_id, revision, pair, destination,
         type, status, attempts, releases, body, created_at, next_attempt_at, hinted_at,
         lease_token, lease_until, resolved_at)
       values (?1, ?2, 'account', ?3, 3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
         iif(?6 in ('pending', 'sending', 'failed'), null, ?10))
       returning id`,
    ).bind(
      crypto.randomUUID(),
      webhookId,
      revision,
      `https://${seed.host ?? `${webhookId}.example.com`}/***`,
      type,
      status,
      attempts,
      releases,
      BODY,
      createdAt,
      nextAttemptAt,
      hintedAt,
      status === 'sending' ? 'old token' : null,
      seed.leaseUntil ?? null,
    ),
    env.DB.prepare(
      `insert into capacity (id, outstanding)
       select 1, 1 where ?1 in ('pending', 'sending', 'failed')
       on conflict (id) do update set outstanding = outstanding + 1`,
    ).bind(status),
  ])
  return inserted!.results[0]!.id
}

export async function seedQuote(pair = 3): Promise<void> {
  await env.DB.prepare(
    `insert into current_quotes (pair, buy, sell, source, updated_at, last_scraped_at)
     values (?1, 14100000, 14300000, 'test', ?2, ?2)`,
  )
    .bind(pair, NOW)
    .run()
}

export async function deliveryRow(id: number) {
  return env.DB.prepare('select * from deliveries where id = ?1')
    .bind(id)
    .first<Record<string, unknown>>()
}

export async function webhookRow(id: string) {
  return env.DB.prepare('select * from webhooks where id = ?1')
    .bind(id)
    .first<Record<string, unknown>>()
}

export async function outstanding(db: D1Database = env.DB): Promise<number> {
  const row = await db.prepare('select outstanding from capacity where id = 1').first<{
    outstanding: number
  }>()
  return row?.outstanding ?? 0
}
