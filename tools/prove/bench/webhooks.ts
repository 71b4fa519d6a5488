/** What managing webhooks and making their events cost in rows, by D1's own count. */
import { createAccount } from '../../../shared/db/accounts/accounts.ts'
import { listDeliveries } from '../../../workers/site/db/deliveries.ts'
import { createWebhook } from '../../../workers/site/db/receivers/create.ts'
import { editWebhook } from '../../../workers/site/db/receivers/edit.ts'
import type { ReceiverContext } from '../../../workers/site/db/receivers/context.ts'
import { redeliver, redeliverSince } from '../../../workers/site/db/receivers/redeliver.ts'
import { rotateSecret } from '../../../workers/site/db/receivers/rotate.ts'
import { testWebhook } from '../../../workers/site/db/receivers/test-webhook.ts'
import { outboxStatements } from '../../../workers/scraper/db/outbox.ts'
import { findReceiver, listReceivers } from '../../../workers/site/db/receivers/read.ts'
import { webhookRows } from '../../../shared/db/receivers/row.ts'
import { removeReceiver } from '../../../workers/site/db/receivers/remove.ts'
import { deliveryIdSql } from '../../../shared/webhooks/delivery-id.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { randomBytes as random } from '../../support/random.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { blue, contextOf, NOW, quiet, setQuotes, value } from './management.ts'
import { costFigures, costOf, measured } from './measured.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import { fromNumbers, insertRows } from '../harness/rows.ts'

const FINISHED = 20_000
/** Webhooks that follow the pair that changes, of others. */
const FOLLOWERS = 100
/** Deliveries that a receiver missed. */
const MISSED = 100

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
        insertRows(
          'receivers',
          {
            id: `'webhook-' || i`,
            account_id: `'account-' || (i / 5)`,
            pair: '?2',
            created_at: '?3',
          },
          fromNumbers('?1'),
        ),
      )
      .bind(FOLLOWERS, blue.id, NOW),
    db
      .prepare(
        insertRows(
          'deliveries',
          {
            receiver_id: `'webhook-' || (i % ?2)`,
            account_id: `iif(i % 10 = 0, ?3, 'account-' || (i % 20))`,
            pair: '?4',
            status: `'delivered'`,
            attempts: 1,
            created_at: '?5',
            next_attempt_at: '?5',
            resolved_at: '?5',
          },
          fromNumbers('?1'),
        ),
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
  const { id } = value(made).receiver
  await measure('list', () => listReceivers(db, webhookRows, accountId, NOW))
  await measure('read', () => findReceiver(db, webhookRows, { accountId, id }, NOW))
  const edit = (changes: object) => async () =>
    value(await editWebhook(management, accountId, id, { version: 1, ...changes }))
  await measure('edit with a sync', edit({ version: 1, url: 'https://otro.example/' }))
  await measure('pause', edit({ version: 2, enabled: false }))
  await measure('activate', edit({ version: 3, enabled: true }))
  await measure('test', async () => value(await testWebhook(management, accountId, id)))
  await measure('rotate', async () =>
    value(await rotateSecret(management, webhookRows, { id, accountId, version: 4 })),
  )
  const missed = await fillMissed(binding, accountId, id)
  await measure('redeliver one', async () =>
    value(await redeliver(management, 'webhook', { accountId, deliveryId: missed })),
  )
  await measure(`redeliver ${MISSED - 1}`, async () =>
    value(await redeliverSince(management, 'webhook', { accountId, id, since: NOW })),
  )
  await measure('deliveries', () => listDeliveries(db, accountId, { limit: 50 }, 'webhook'))
  await measure('delete', async () =>
    value(await removeReceiver(db, { id, accountId, version: 5 }, 'webhook')),
  )
  return figures
}

function create(management: ReceiverContext, accountId: string) {
  return createWebhook(management, accountId, {
    operationId: crypto.randomUUID(),
    url: 'https://receptor.example/hook',
    currency: quiet.currency,
    origin: quiet.origin,
    enabled: true,
  })
}

/** Deliveries of a webhook that its receiver missed; the delivery id of the newest. */
async function fillMissed(db: D1Database, accountId: string, id: string): Promise<string> {
  const columns = {
    delivery_id: deliveryIdSql('?1'),
    receiver_id: '?2',
    account_id: '?3',
    status: `'dead'`,
    attempts: 4,
    created_at: '?1',
    last_attempt_at: '?1',
    resolved_at: '?1',
  }
  const sql = `${insertRows('deliveries', columns, fromNumbers('?4'))} returning delivery_id`
  const { results } = await db.prepare(sql).bind(NOW, id, accountId, MISSED).all()
  return results.at(-1)!['delivery_id'] as string
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
