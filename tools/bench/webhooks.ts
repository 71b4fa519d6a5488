/** What managing webhooks and making their events cost in rows, by D1's own count. */
import { createAccount } from '../../shared/db/accounts/accounts.ts'
import { listDeliveries } from '../../shared/db/deliveries/list.ts'
import { createWebhook } from '../../shared/db/webhooks/create.ts'
import { editWebhook } from '../../shared/db/webhooks/edit.ts'
import type { WebhookContext } from '../../shared/db/webhooks/context.ts'
import { rotateSecret } from '../../shared/db/webhooks/rotate.ts'
import { testWebhook } from '../../shared/db/webhooks/test-delivery.ts'
import { outboxStatements } from '../../shared/db/deliveries/outbox.ts'
import { findWebhook, listWebhooks } from '../../shared/db/webhooks/read.ts'
import { removeWebhook } from '../../shared/db/webhooks/remove.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { randomBytes as random } from '../harness/random.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { blue, contextOf, NOW, quiet, setQuotes, value } from './management.ts'
import { costFigures, costOf, measured } from './measured.ts'
import { openScratchStorage } from '../admin/open-local.ts'

const FINISHED = 20_000
/** Webhooks that follow the pair that changes, of others. */
const FOLLOWERS = 100

export const webhooks: Bench = {
  name: 'webhooks',
  summary: 'rows and round trips of webhook management (without the gate) and of the outbox',
  method:
    `the functions behind each route, and the statements of one change, on D1 with ${FOLLOWERS} webhooks on ` +
    `the pair and ${FINISHED} finished deliveries; rows are D1's own count of one call`,
  run: benchWebhooks,
}

async function benchWebhooks({ progress }: BenchOptions): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  progress(`making ${FOLLOWERS} webhooks and ${FINISHED} finished deliveries`)
  const accountId = await fill(storage.db)

  return [
    ...(await figuresOfManagement(storage.db, accountId)),
    ...(await figuresOfOutbox(storage.db)),
  ]
}

/** Quotes, others' webhooks and deliveries, and an account, whose id it returns. */
async function fill(db: D1Database): Promise<string> {
  const order = { email: 'owner@bench.test', now: NOW, random }
  const accountId = value(await createAccount(db, order)).id
  await setQuotes(db, numberToPrice(1430))

  await db.batch([
    db
      .prepare(
        `insert into webhooks (id, account_id, operation_id, pair, destination, url_sealed,
           secret_sealed, enabled, state, source, version, revision, episode,
           consecutive_failures, needs_sync, created_at)
         with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
         select 'webhook-' || i, 'account-' || (i / 5), i, ?2, 'https://x.example/***', 'x', 'x', 1,
           'active', 'v2', 1, 1, 1, 0, 0, ?3 from n`,
      )
      .bind(FOLLOWERS, blue.id, NOW),
    db
      .prepare(
        `insert into deliveries (delivery_id, webhook_id, account_id, revision, pair, destination,
           type, status, attempts, releases, body, created_at, next_attempt_at, resolved_at)
         with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
         select 'finished-' || i, 'webhook-' || (i % ?2), iif(i % 10 = 0, ?3, 'account-' || (i % 20)),
           1, ?4, 'https://x.example/***', 'automatic', 'delivered', 1, 0, '{}', ?5, ?5, ?5 from n`,
      )
      .bind(FINISHED, FOLLOWERS, accountId, blue.id, NOW),
  ])
  return accountId
}

async function figuresOfManagement(binding: D1Database, accountId: string): Promise<Figure[]> {
  const { db, spent, forget } = measured(binding)
  const management = contextOf(db)
  const figures: Figure[] = []

  /** Runs one route's work; the figures are what it asked of D1. */
  async function measure<Value>(route: string, run: () => Promise<Value>): Promise<Value> {
    forget()
    const done = await run()
    figures.push(...costFigures(`webhooks, ${route}`, spent(), { roundTrips: 2 }))
    return done
  }

  const made = await measure('create', () => create(management, accountId))
  const { id } = value(made).webhook
  await measure('list', () => listWebhooks(db, accountId))
  await measure('read', () => findWebhook(db, accountId, id))
  const edit = (changes: object) => async () =>
    value(await editWebhook(management, accountId, id, { version: 1, ...changes }))
  await measure('edit with a sync', edit({ version: 1, url: 'https://otro.example/' }))
  await measure('pause', edit({ version: 2, enabled: false }))
  await measure('activate', edit({ version: 3, enabled: true }))
  await measure('test', async () => value(await testWebhook(management, accountId, id)))
  await measure('rotate', async () =>
    value(await rotateSecret(management, accountId, { id, version: 4 })),
  )
  await measure('deliveries', () => listDeliveries(db, accountId, { limit: 50 }))
  await measure('delete', async () => value(await removeWebhook(db, { id, accountId, version: 5 })))
  return figures
}

function create(management: WebhookContext, accountId: string) {
  return createWebhook(management, accountId, {
    operationId: crypto.randomUUID(),
    url: 'https://receptor.example/hook',
    currency: quiet.currency,
    origin: quiet.origin,
    enabled: true,
  })
}

async function figuresOfOutbox(binding: D1Database): Promise<Figure[]> {
  const prices = { buy: numberToPrice(1420), sell: numberToPrice(1440) }
  const quote = { pair: blue, ...prices, source: 'bench', updatedAt: NOW, lastScrapedAt: NOW }
  const previous = { buy: numberToPrice(1410), sell: numberToPrice(1430) }
  const changes = [{ quote: { ...quote, referenceSell: null }, previous }]
  const options = { at: NOW, admitted: true, capacity: 20_000, system: null }
  const cost = await costOf(binding, (db) => db.batch(outboxStatements(db, changes, options)))

  const limits = { roundTrips: 1, rowsRead: 6 * FOLLOWERS + 20, rowsWritten: 3 * FOLLOWERS + 10 }
  return costFigures(`change of a pair with ${FOLLOWERS} webhooks`, cost, limits)
}
