/** A small service after a day of work, made by its own code, in which `audit` finds no fault. */
import type { Instant } from '../../../../shared/argentine-time.ts'
import { createAlertAt } from '../../../support/alerts.ts'
import { createFixture } from '../../../support/delivery-fixture.ts'
import { cycleAt } from '../../../support/cycle-deps.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { changeRows, insertRow } from '../../../support/rows.ts'
import { openClient } from '../../../support/account-client.ts'
import { updateFiles } from '../../../../workers/scraper/nightly/nightly-files.ts'

/** A queue that drops its messages: the story decides what is sent. */
const NOBODY = { sendBatch: async () => {} }

/** Seven minutes: the failed attempt of the story is due again after the last cycle. */
const WAITS = [420, 420, 420] as const

/**
 * Yesterday one cycle; today three changes of the blue dollar, with an alert by webhook, an alert
 * by e-mail and three webhooks: one that never changed and waits for a retry, one that was
 * activated meanwhile, one paused by its failures.
 */
export async function seedSoundState(): Promise<void> {
  const made = art('2026-03-02 11:00')
  const client = await openClient({ now: made })
  await cycle(art('2026-03-01 12:00'), [1400, 1420])

  const secret = { receiverAuthorization: 'Bearer x' }
  const { id: untouched } = await client.made(secret)
  const { id: activated } = await client.made({ ...secret, enabled: false })
  const { id: failing } = await client.made({ ...secret, origin: 'CCL' })
  await createAlertAt(made, client.accountId, { threshold: 1434 })
  const byMail = { channel: 'email', url: undefined } as const
  await createAlertAt(made, client.accountId, { threshold: 9000, ...byMail })
  client.clock.now = art('2026-03-02 11:32')
  await client.edit(activated, { version: 1, enabled: true })
  await deliverAll(art('2026-03-02 11:33'))

  await cycle(art('2026-03-02 11:35'), [1410, 1430])
  await deliverAll(art('2026-03-02 11:36'))
  client.clock.now = art('2026-03-02 11:37')
  await client.test(activated)
  await deliverAll(art('2026-03-02 11:38'))

  await cycle(art('2026-03-02 11:50'), [1415, 1435])
  await deliverAll(art('2026-03-02 11:51'), untouched)
  // The state after the tenth failure; the deliveries that failed are not part of the story.
  const paused = { state: 'failure', consecutiveFailures: 10, version: 2 } as const
  await changeRows('subscriptions', paused, { id: failing })
  await insertRow('notices', { subscriptionId: failing, createdAt: made })
  await cycle(art('2026-03-02 11:55'), [1415, 1435])
  await updateFiles(env, () => art('2026-03-02 11:56'))
}

async function cycle(now: Instant, blue: [number, number]): Promise<void> {
  const bindings = { WEBHOOK_ADMISSION: 'open', DELIVERIES: NOBODY }
  const { outcome } = await cycleAt(now, { blue }, bindings, { mode: 'upstream' })
  if (outcome !== 'recorded') throw new Error(outcome)
}

/** Sends what is due. All receivers accept, except that of one webhook. */
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
