/** Checks that no statement of the engine reads a whole table. */
import { beforeEach, expect, it } from 'vitest'
import { importRows } from '../../tools/operate/admin/import-v1.ts'
import { listDeliveries } from '../../shared/db/deliveries/list.ts'
import { editSubscription } from '../../shared/subscriptions/edit.ts'
import { listSubscriptions } from '../../shared/subscriptions/kind.ts'
import { redeliver, redeliverSince } from '../../shared/db/deliveries/redeliver.ts'
import { removeSubscription } from '../../shared/db/change-subscription.ts'
import { webhooks as kind } from '../../shared/subscriptions/webhooks.ts'
import { outboxStatements } from '../../workers/scraper/db/outbox.ts'
import { recentPoints } from '../../workers/scraper/db/nightly.ts'
import { pruneStatements } from '../../workers/delivery/db/sweep.ts'
import { alertStatements } from '../../workers/scraper/db/alerts.ts'
import { seedAccount } from '../support/accounts.ts'
import { change, createAlertAt, moveOf } from '../support/alerts.ts'
import { later, NOON } from '../support/cycle-deps.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import {
  NOW,
  insertDelivery,
  management,
  seedNotice,
  seedQuote,
  seedWebhook,
} from '../support/webhooks.ts'
import { env } from '../support/env.ts'
import { aroundStatements } from '../support/measured-database.ts'

const DELIVERY = '019a0000-0000-7000-8000-000000000001'

const seen = new Map<string, readonly unknown[]>()
beforeEach(() => seen.clear())

/** The real database, which records each statement with its parameters. */
const noted = aroundStatements(env.DB, (statements, execute) => {
  for (const { sql, values } of statements) seen.set(sql, values)
  return execute(statements)
})

/** Small tables and lists: a row per pair, one-row tables, JSON lists, and subqueries. */
const SMALL =
  /^SCAN (q|c|notices|current_quotes|open_deliveries|history_revision|stale|due|\d+-ROW|CONSTANT|\(\S+|.* VIRTUAL TABLE)( |$)/
/** Indexes that contain only waiting rows. */
const WAITING =
  /INDEX (deliveries_new|deliveries_begun|subscriptions_owed_sync|subscriptions_suspended)\b/
/** Indexes of all subscriptions of a pair, which only a change of the pair reads. */
const OF_PAIRS = /INDEX subscriptions_(webhooks|alerts)\b/

/** A full table scan, or an index that SQLite builds for one statement. */
function isBad(detail: string): boolean {
  if (detail.startsWith('SCAN')) return !SMALL.test(detail) && !WAITING.test(detail)
  return detail.includes('AUTOMATIC')
}

async function plansOf(sql: string, values: readonly unknown[]): Promise<string[]> {
  const plan = env.DB.prepare(`explain query plan ${sql}`).bind(...values)
  const { results } = await plan.all<{ detail: string }>()
  return results.map(({ detail }) => detail)
}

/** The text of a statement, as the database gets it. */
async function textOf(statement: D1PreparedStatement): Promise<string> {
  await noted.batch([statement])
  const [sql] = seen.keys()
  seen.clear()
  return sql!
}

async function engine() {
  await seedNotice()
  await seedQuote('usd/blue', 1410, 1430)
  const ids = [
    await insertDelivery(await seedWebhook({ sync: 'made' })),
    await insertDelivery(await seedWebhook({ consecutiveFailures: 9 })),
  ]
  const lease = { status: 'sending', attempts: 1, leaseUntil: NOW - 1, lookAt: NOW - 60_000 }
  await insertDelivery(await seedWebhook(), lease)
  await seedWebhook({ state: 'capacity' })
  const { accountId } = await seedAccount()
  await createAlertAt(NOON, accountId, { channel: 'email', url: undefined })
  await env.DB.prepare(`update alerts set mail_due_at = ?1`).bind(NOW).run()
  const fixture = createFixture(() => (fixture.posts.length === 1 ? 204 : 500), {
    db: noted,
    sendMail: () => Promise.reject(new Error('not taken')),
  })
  await fixture.hint(...ids)
  await fixture.sweep()
}

async function cycle() {
  const { accountId } = await seedAccount()
  await change({ 'USD/BLUE': 1430 }, NOON)
  await createAlertAt(NOON, accountId, { threshold: 1500 })
  const quotes = { 'USD/BLUE': 1500 }
  const firing = { at: later(1), admitted: true, capacity: 10 }
  const move = await moveOf(quotes, later(1))
  const statements = await alertStatements(noted, move, firing)
  expect(statements.length).toBeGreaterThan(0)
  const stored = { source: 'one', lastScrapedAt: NOON, referenceSell: null }
  const changes = move.after.map((quote) => ({ quote: { ...stored, ...quote }, previous: quote }))
  await noted.batch([
    ...statements,
    ...outboxStatements(noted, changes, { ...firing, system: null }),
  ])
}

async function owner() {
  await seedQuote('usd/blue', 1410, 1430)
  const webhook = await seedWebhook()
  const own = { accountId: 'account', id: webhook }
  await insertDelivery(webhook, { status: 'dead', attempts: 4 })
  const context = management({ db: noted })
  const edit = { version: 1, currency: 'USD', origin: 'BLUE', enabled: false }
  await kind.test(context, own)
  await redeliverSince(context, 'webhook', { ...own, since: 0 })
  await redeliver(context, 'webhook', { accountId: 'account', deliveryId: DELIVERY })
  await listDeliveries(noted, 'account', { limit: 50 }, 'webhook')
  await listSubscriptions(noted, kind, 'account', NOW)
  await editSubscription(context, kind, own, edit)
  await removeSubscription(noted, { ...own, version: 2 }, 'webhook')
}

async function inherited() {
  await importRows(noted, 'key', [{ email: 'ana@example.com', reference: 'h' }], NOW)
}

it.each<[string, () => Promise<unknown>, number]>([
  ['the engine: claim, settle, sweep', engine, 25],
  ['a cycle: alerts and deliveries of a change', cycle, 7],
  ['the values of a chart', () => recentPoints(noted, NOW), 1],
  ['an owner: tests, redeliveries, lists, an edit, a deletion', owner, 15],
  ['an import of keys', inherited, 2],
])('%s', async (_, run, statements) => {
  // It reads the oldest deliveries: a limit follows its scan.
  const prune = await textOf(pruneStatements(noted, NOW).pruned)
  await run()
  expect(seen.size).toBeGreaterThanOrEqual(statements)
  const bad: string[] = []
  for (const [sql, values] of seen)
    for (const detail of await plansOf(sql, values)) {
      const isAllowed = sql === prune && detail === 'SCAN deliveries'
      if (isAllowed) continue
      if (isBad(detail) || (run !== cycle && OF_PAIRS.test(detail))) bad.push(`${detail}: ${sql}`)
    }
  expect(bad).toEqual([])
})
