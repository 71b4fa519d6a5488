import { openKeyring } from '../../shared/crypto/keyring.ts'
import { seal } from '../../shared/crypto/sealed-box.ts'
import { aDeliveryId } from './delivery-id.ts'
import { env } from './env.ts'
import { BODY } from '../../tools/prove/harness/delivery-body.ts'
import { insertRows, setOpen } from '../../tools/prove/harness/rows.ts'
import { insertAccount } from './accounts.ts'
import { changeRows, insertRow } from './rows.ts'

export const NOW = Date.UTC(2026, 2, 2, 15, 0, 0)
export const SECRET = '0123456789abcdef'.repeat(4)

/** The keyring of tests. */
export const keyring = () => openKeyring(`test:${btoa('k'.repeat(32))}`)

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
    seal(keyring(), { table: 'subscriptions', column, id }, text)

  await db
    .prepare(
      insertRows('subscriptions', {
        id: '?1',
        destination: '?2',
        url_sealed: '?3',
        authorization_sealed: '?4',
        secret_sealed: '?5',
        enabled: '?6',
        state: '?7',
        revision: '?8',
        consecutive_failures: '?9',
        needs_sync: '?10',
        created_at: '?11',
        synced_revision: '?12',
      }),
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
  lookAt: number | null
  host: string
  leaseUntil: number
}

/** A pending automatic delivery of a webhook, its place reserved; returns its row id. */
export async function seedDelivery(
  subscriptionId: string,
  seed: Partial<DeliverySeed> = {},
): Promise<number> {
  const { type = 'automatic', status = 'pending', attempts = 0, releases = 0, revision = 1 } = seed
  const { nextAttemptAt = NOW, createdAt = NOW, lookAt = NOW + 30_000 } = seed
  const [inserted] = await env.DB.batch<{ id: number }>([
    env.DB.prepare(
      insertRows(
        'deliveries',
        {
          delivery_id: '?1',
          subscription_id: '?2',
          revision: '?3',
          destination: '?4',
          type: '?5',
          status: '?6',
          attempts: '?7',
          releases: '?8',
          body: '?9',
          created_at: '?10',
          next_attempt_at: '?11',
          look_at: '?12',
          lease_token: '?13',
          lease_until: '?14',
          resolved_at: `iif(?6 in ('pending', 'sending', 'failed'), null, ?10)`,
        },
        'returning id',
      ),
    ).bind(
      aDeliveryId(createdAt),
      subscriptionId,
      revision,
      `https://${seed.host ?? `${subscriptionId}.example.com`}/***`,
      type,
      status,
      attempts,
      releases,
      BODY,
      createdAt,
      nextAttemptAt,
      lookAt,
      status === 'sending' ? 'old token' : null,
      seed.leaseUntil ?? null,
    ),
    env.DB.prepare(setOpen(`?1 in ('pending', 'sending', 'failed')`, 'by')).bind(status),
  ])
  return inserted!.results[0]!.id
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

export async function outstanding(db: D1Database = env.DB): Promise<number> {
  const row = await db.prepare('select outstanding from open_deliveries where id = 1').first<{
    outstanding: number
  }>()
  return row?.outstanding ?? 0
}

/** A webhook that failed, and the notice of it to a mailbox of its own. */
export async function seedNotice(mailbox = 'ana@example.com', createdAt = NOW): Promise<string> {
  const id = await seedWebhook({ state: 'failure' })
  await insertAccount(mailbox, mailbox)
  await changeRows('subscriptions', { accountId: mailbox }, { id })
  await insertRow('notices', { subscriptionId: id, episode: 1, createdAt })
  return id
}
