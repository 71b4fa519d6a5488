/** A small service after a day of work, made by its own code: what `audit` finds nothing wrong with. */
import type { Instant } from '../../shared/argentine-time.ts'
import { createSubscription } from '../../shared/subscriptions/create.ts'
import { editSubscription } from '../../shared/subscriptions/edit.ts'
import { webhooks } from '../../shared/subscriptions/webhooks.ts'
import { runCycle } from '../../workers/scraper/cycle.ts'
import { seedAccount } from './accounts.ts'
import { createAlertAt } from './alerts.ts'
import { createFixture } from './delivery-fixture.ts'
import { cycleDeps } from './cycle-deps.ts'
import { env } from './env.ts'
import { art } from './instant.ts'
import { marketFetch } from './market.ts'
import { management } from './webhooks.ts'
import { runArchive } from '../../workers/scraper/nightly/archive.ts'

/** The queue tells nobody: what is sent is what the story says. */
const NOBODY = { sendBatch: async () => {} } as unknown as typeof env.DELIVERIES

/** Seven minutes: the failed attempt of the story is due again after the last cycle. */
const WAITS = [420, 420, 420] as const

/**
 * Yesterday one cycle; today three changes of the blue dollar with an alert by webhook, one by e-mail and three webhooks: one that was
 * never touched and is in backoff, one that was activated meanwhile, one paused by its failures.
 */
export async function seedSoundState(): Promise<void> {
  const { accountId } = await seedAccount()
  await cycle(art('2026-03-01 12:00'), [1400, 1420])

  const untouched = await create(accountId, true)
  const activated = await create(accountId, false)
  await create(accountId, true, 'USD', 'CCL')
  const made = art('2026-03-02 11:00')
  await createAlertAt(made, accountId, { threshold: 1434 })
  const byMail = { channel: 'email', url: undefined } as const
  await createAlertAt(made, accountId, { threshold: 9000, ...byMail })
  const activation = { version: 1, enabled: true }
  await editSubscription(at('2026-03-02 11:32'), webhooks, { accountId, id: activated }, activation)
  await deliverAll(art('2026-03-02 11:33'))

  await cycle(art('2026-03-02 11:35'), [1410, 1430])
  await deliverAll(art('2026-03-02 11:36'))
  await webhooks.test(at('2026-03-02 11:37'), { accountId, id: activated })
  await deliverAll(art('2026-03-02 11:38'))

  await cycle(art('2026-03-02 11:50'), [1415, 1435])
  await deliverAll(art('2026-03-02 11:51'), untouched)
  await fail10Times()
  await cycle(art('2026-03-02 11:55'), [1415, 1435])
  await runArchive(env, { now: () => art('2026-03-02 11:56') })
}

const at = (text: string) => management({ now: art(text) })

async function create(
  accountId: string,
  enabled: boolean,
  currency = 'USD',
  origin = 'BLUE',
): Promise<string> {
  const created = await createSubscription(at('2026-03-02 11:00'), webhooks, accountId, {
    operationId: crypto.randomUUID(),
    url: 'https://receptor.example.com/hook',
    currency,
    origin,
    enabled,
    receiverAuthorization: 'Bearer x',
  })
  if (!created.ok) throw new Error(String(created.refusal))
  return created.value.subscription.id
}

async function cycle(now: Instant, blue: [number, number]): Promise<void> {
  const report = await runCycle(
    { ...env, WEBHOOK_ADMISSION: 'open', DELIVERIES: NOBODY },
    cycleDeps({
      now: () => now,
      fetch: marketFetch({ blue }),
      mode: 'upstream',
      everySource: true,
    }),
    now,
  )
  if (report.outcome !== 'recorded') throw new Error(report.outcome)
}

/** Sends what is due to receivers that take it, but for one webhook's. */
async function deliverAll(now: Instant, failing?: string): Promise<void> {
  const fixture = createFixture(({ subscriptionId }) => (subscriptionId === failing ? 500 : 204), {
    waits: WAITS,
  })
  fixture.set(now)
  await fixture.sweep()
  const { results } = await env.DB.prepare(
    `select id from deliveries where status in ('pending', 'failed') order by id`,
  ).all<{ id: number }>()
  await fixture.hint(...results.map(({ id }) => id))
}

/** As the tenth failure leaves a webhook: its deliveries are not part of the story. */
async function fail10Times(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `update subscriptions set state = 'failure', enabled = 0, consecutive_failures = 10, version = 2
       where pair = 6`,
    ),
    env.DB.prepare(
      `insert into notices (subscription_id, episode, created_at)
       select id, episode, created_at from subscriptions where pair = 6`,
    ),
  ])
}
