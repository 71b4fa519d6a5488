/** The whole life of deliveries, from the scraper's cycle to pruning, and its required results. */
import { reset } from 'cloudflare:test'
import { expect } from 'vitest'
import { editSubscription } from '../../shared/subscriptions/edit.ts'
import { webhooks as kind } from '../../shared/subscriptions/webhooks.ts'
import { ok, refuse } from '../../shared/result.ts'
import { countRows } from './rows.ts'
import {
  insertDelivery,
  management,
  NOW,
  readDeliveries,
  readOutstanding,
  readTallies,
  readWebhook,
  seedWebhook,
} from './webhooks.ts'
import { createFixture } from './delivery-fixture.ts'
import { insertAccount } from './accounts.ts'
import { cycleAt } from './cycle-deps.ts'
import { env, migrate } from './env.ts'
import { aroundStatements } from './measured-database.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** A life that has not ended by then never will. */
const MINUTES = 60

/** The blue dollar by cycle, the first before the life begins, the last until its end. */
const PRICES: [buy: number, sell: number][] = [
  [1410, 1430],
  [1415, 1435],
  [1420, 1440],
  [1425, 1445],
]

/**
 * Runs a whole life on an empty database that refuses statements: everything must still end as it
 * should. Returns the executed statements. `refuses` also gets the minute of the life.
 */
export async function expectWholeLife(
  refuses: (minute: number, ...statement: Parameters<Refuses>) => boolean,
): Promise<string[]> {
  await reset()
  await migrate()
  const clock = { minute: 0 }
  const { db, executed } = failingStatements((...statement) => refuses(clock.minute, ...statement))
  await expectEnded(await live(db, clock))
  await prune(db, clock)
  return executed
}

/**
 * Runs the life on `db` minute by minute, with a sweep in each. Values change; deliveries are made,
 * enqueued, claimed, settled, retried and given up. A webhook is paused with its notice and
 * activated, another gets capacity again, and a test is requested. Whatever fails is repeated, as
 * crons and people would.
 */
async function live(db: D1Database, clock: { minute: number }) {
  const webhooks = await seed()
  await cycle(env.DB, createFixture(), 0)
  let mails = 0
  let isUp = false
  let isLastRecorded = false
  let resolved = 0
  const fixture = createFixture(
    ({ subscriptionId }) => {
      if (subscriptionId === webhooks.down) return isUp ? 204 : 500
      const earlier = fixture.posts.filter((post) => post.subscriptionId === subscriptionId).length
      return subscriptionId === webhooks.well && earlier === 1 ? 500 : 204
    },
    {
      db,
      waits: [60, 120, 180],
      sendMail: async () => void (mails += 1),
      // A fault of ours: the first claim is released.
      resolve: async () => (++resolved === 1 ? refuse('resolver') : ok(['93.184.216.34'])),
    },
  )
  const rules = () => management({ db, now: fixture.at() })
  const wishes = [
    () => kind.test(rules(), own(webhooks.well)),
    async () => {
      const { state, version } = await readWebhook(webhooks.down)
      // The notice reports this pause: after the pause it would not be sent.
      if (state !== 'failure' || mails === 0) return refuse('not yet')
      const edit = { version, enabled: true }
      const edited = await editSubscription(rules(), kind, own(webhooks.down), edit)
      isUp ||= edited.ok
      return edited
    },
  ]

  for (let minute = 0; minute < MINUTES; minute += 1) {
    clock.minute = minute
    fixture.set(NOW + minute * MINUTE)
    if (minute % 5 === 0 && minute > 0 && !isLastRecorded)
      isLastRecorded = (await cycle(db, fixture, minute / 5)) && minute / 5 >= PRICES.length - 1
    await fixture.sweep().catch(() => {})
    await fixture.drain()
    for (const wish of wishes.splice(0)) {
      const granted = await wish().catch(() => null)
      if (!granted?.ok) wishes.push(wish)
    }
    await expectWhole()
    const isOver = isLastRecorded && wishes.length === 0 && mails > 0
    const owed = await countRows('subscriptions', { sync: 'owed' })
    if (isOver && owed + (await openRows()) === 0) break
  }
  expect(wishes, 'what was never granted').toEqual([])
  expect(await openRows(), 'open rows').toBe(0)
  return { webhooks, posts: fixture.posts, mails }
}

async function expectEnded({ webhooks, posts, mails }: Awaited<ReturnType<typeof live>>) {
  const rows = await readDeliveries()
  const { edited, down, orphan, well, suspended } = webhooks
  const of = (webhook: string, type: string) =>
    rows.filter((row) => row.subscriptionId === webhook && row.type === type)

  for (const row of rows) {
    const sent = posts.filter((post) => post.deliveryId === row.deliveryId).length
    // Attempts that were counted but not sent: the orphan's, and one that could not be released.
    const unsent = row === of(orphan, 'automatic')[0] ? 2 : 1
    expect(row.attempts, 'attempts').toBeLessThanOrEqual(4)
    expect([0, 1, unsent], 'attempts without a POST').toContain(row.attempts - sent)
    if (row.subscriptionId !== down && row.subscriptionId !== edited)
      expect(row.status).toBe('delivered')
  }
  expect(of(edited, 'automatic').map(({ status }) => status)).toEqual(['cancelled'])

  // One delivery for each recorded change, and one for each request.
  const changes = (await countRows('points', { pair: 3 })) - 1
  expect(changes).toBeGreaterThanOrEqual(1)
  for (const webhook of [well, 'system']) expect(of(webhook, 'automatic')).toHaveLength(changes)
  expect(of(orphan, 'automatic')).toHaveLength(changes + 1)
  for (const webhook of [down, suspended]) expect(of(webhook, 'sync')).toHaveLength(1)
  expect(of(well, 'manual')).toHaveLength(1)

  expect(await countRows('notices')).toBe(0)
  expect(mails).toBe(1)
  for (const webhook of [well, down, suspended, orphan])
    expect(await readWebhook(webhook)).toMatchObject({
      state: 'active',
      consecutiveFailures: 0,
      sync: null,
    })
  const ended = (as: string) => rows.filter(({ status }) => status === as).length
  expect(await readTallies()).toEqual({ delivered: ended('delivered'), dead: ended('dead') })
}

/** Eight days later no row is left, and no capacity is in use. */
async function prune(db: D1Database, clock: { minute: number }): Promise<void> {
  const fixture = createFixture(() => 204, { db })
  const later = (8 * DAY) / MINUTE
  for (clock.minute = later; clock.minute < later + 4; clock.minute += 1) {
    fixture.set(NOW + clock.minute * MINUTE)
    await fixture.sweep().catch(() => {})
  }
  expect(await countRows('deliveries')).toBe(0)
  await expectWhole()
}

const own = (id: string) => ({ accountId: 'account', id })

/** One fails once, one is down, one has no capacity, one is edited, one's sender dies. */
async function seed() {
  await insertAccount('account', 'ana@example.com')
  const webhooks = {
    well: await seedWebhook(),
    down: await seedWebhook({ consecutiveFailures: 6 }),
    suspended: await seedWebhook({ state: 'capacity', sync: 'owed' }),
    edited: await seedWebhook({ revision: 2, state: 'manual' }),
    orphan: await seedWebhook(),
  }
  await insertDelivery(webhooks.edited, { lookAt: null })
  await insertDelivery(webhooks.orphan, {
    status: 'sending',
    attempts: 1,
    leaseUntil: NOW - 1,
    lookAt: NOW - MINUTE,
  })
  return webhooks
}

type Fixture = ReturnType<typeof createFixture>

/** Whether the cycle recorded its quotes. The next cycle repairs a failed one. */
async function cycle(db: D1Database, fixture: Fixture, turn: number): Promise<boolean> {
  const bindings = {
    DB: db,
    DELIVERIES: fixture.deps.queue,
    WEBHOOK_ADMISSION: 'open',
    SYSTEM_WEBHOOK_URL: 'https://system.example.com/hook',
  }
  const blue = PRICES[Math.min(turn, PRICES.length - 1)]!
  const report = await cycleAt(fixture.at(), { blue }, bindings).catch(() => null)
  return report?.outcome === 'recorded'
}

/** Holds at every moment: the counter equals the number of open rows. */
async function expectWhole(): Promise<void> {
  expect(await readOutstanding(), 'places taken').toBe(await openRows())
}

async function openRows(): Promise<number> {
  return (await readDeliveries()).filter(({ resolvedAt }) => resolvedAt === null).length
}

/**
 * Whether this execution of a statement must fail: its text, with `(#)` for a list of row ids, and
 * the number of earlier executions of that text.
 */
export type Refuses = (sql: string, occurrence: number) => boolean

/** Can be prepared, but fails with an integer overflow when it is executed. */
const FAILING = { sql: 'select abs(-9223372036854775807 - 1)', values: [] }

/**
 * The real database. Where `refuses` says so, a failing statement is executed instead; in a batch
 * only the first, and the statements behind it are not reached. `executed` lists the texts in
 * order.
 */
export function failingStatements(refuses: Refuses) {
  const executed: string[] = []
  const counts = new Map<string, number>()

  function isRefused(text: string): boolean {
    const sql = withoutIds(text)
    const occurrence = (counts.get(sql) ?? 0) + 1
    counts.set(sql, occurrence)
    executed.push(sql)
    return refuses(sql, occurrence)
  }

  const db = aroundStatements(env.DB, (statements, execute) => {
    const refused = statements.findIndex(({ sql }) => isRefused(sql))
    return execute(refused === -1 ? statements : statements.with(refused, FAILING))
  })
  return { db, executed }
}

function withoutIds(sql: string): string {
  return sql.replace(/\(\d+(?:, \d+)*\)/g, '(#)').replace(/\(#\)(?:, \(#\))+/g, '(#)')
}
