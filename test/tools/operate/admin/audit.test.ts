import { expect, it } from 'vitest'
import { BOARD_KEY } from '../../../../shared/board/board.ts'
import { lineOf, checks, openScope } from '../../../../tools/operate/admin/audit.ts'
import { outputOf, runAdmin } from '../../../support/admin.ts'
import { env } from '../../../support/env.ts'
import type { Instant } from '../../../../shared/argentine-time.ts'
import { createAlertAt } from '../../../support/alerts.ts'
import { type Answers, createFixture } from '../../../support/delivery-fixture.ts'
import { cycleAt } from '../../../support/cycle-deps.ts'
import { openClient } from '../../../support/account-client.ts'
import { updateFiles } from '../../../../workers/scraper/nightly/nightly-files.ts'
import { art } from '../../../support/instant.ts'
import { copyRows, fromNumbers } from '../../../../tools/prove/harness/rows.ts'
import { changeRows, insertRow } from '../../../support/rows.ts'
import { keyring } from '../../../support/webhooks.ts'

const context = { db: env.DB, kv: env.BOARD, now: () => art('2026-03-02 12:00') }

/** The lines of an audit at noon, and its error. */
const audit = async (...args: string[]) => (await outputOf(context, 'audit', ...args)).split('\n')

const scope = () => openScope(context, { since: 0, keyring: keyring() })

/** Copies every table, for `restoreTables`: seeding anew for each statement would take a minute. */
async function keepTables(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'
       and name not like 'sqlite%' and name not like 'd1%'`,
  ).all<{ name: string }>()
  const tables = results.map(({ name }) => name)
  await env.DB.batch(
    tables.map((name) => env.DB.prepare(`create table kept_${name} as select * from ${name}`)),
  )
  return tables
}

async function restoreTables(tables: readonly string[]): Promise<void> {
  await env.DB.batch([
    env.DB.prepare('pragma defer_foreign_keys = on'),
    ...tables.map((name) => env.DB.prepare(`delete from ${name}`)),
    ...tables.map((name) => env.DB.prepare(`insert into ${name} select * from kept_${name}`)),
  ])
}

it('finds nothing wrong with what the service has written', async () => {
  await seedSoundState()
  const lines = await audit()
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
  expect(lines).toHaveLength(checks.length)
  // The check must not pass because it had nothing to check.
  expect(lines).toContainEqual(expect.stringMatching(/no change was left out.* \(4\)$/))
  expect(lines).toContainEqual(expect.stringMatching(/every sealed field opens.* \(5\)$/))
})

it('finds nothing wrong while first attempts are in flight', async () => {
  await seedSoundState()
  await cycle(art('2026-03-02 11:57'), [1420, 1440])
  const lines: string[] = []
  await deliverAll(art('2026-03-02 11:58'), async () => {
    lines.push(...(await audit()))
    return 204
  })
  expect(lines.length).toBeGreaterThan(checks.length)
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])
})

const FIRST = `(select min(id) from deliveries where type = 'automatic')`
const WAITING = `(select id from deliveries where status = 'failed')`
const UNTOUCHED = `(select id from subscriptions where version = 1)`

/** A copy of rows as SQL on one line. */
const copied = (...rows: Parameters<typeof copyRows>) => copyRows(...rows).replaceAll(/\s+/g, ' ')

/** More disabled subscriptions of a kind, for the account of the webhook that never changed. */
function addSubscriptions(kind: 'webhook' | 'alert', count: number): string {
  const changes = {
    id: 'id || i',
    operation_id: 'operation_id || i',
    kind: `'${kind}'`,
    state: `'manual'`,
  }
  return copied(
    'subscriptions',
    changes,
    `${fromNumbers(count)}, subscriptions where id = ${UNTOUCHED}`,
  )
}

/** Ways to break an invariant: words of its name, and a statement. */
const BREAKS = `
no change was left out | delete from deliveries where id = ${FIRST}
no change was left out | insert into points select pair, at - 600000, buy + 1, sell + 1, source from points where at = ${art('2026-03-02 11:50')}
no change was delivered twice | ${copied('deliveries', { delivery_id: "'again'" }, 'from deliveries where id = ' + FIRST)}
every automatic delivery has its change | update deliveries set created_at = created_at - 1 where id = ${FIRST}
no revision has two syncs | update deliveries set type = 'sync' where id = (select max(id) from deliveries where subscription_id in (select subscription_id from deliveries where type = 'sync'))
are counted as outstanding | update open_deliveries set outstanding = outstanding + 1
no delivery is stuck | update deliveries set next_attempt_at = 1 where id = ${WAITING}
no delivery is stuck | update deliveries set status = 'sending', lease_token = 'x', lease_until = 1 where id = ${WAITING}
no delivery is stuck | update deliveries set attempts = 4 where id = ${WAITING}
no delivery is stuck | update deliveries set revision = 9, look_at = 1 where id = ${WAITING}
no delivery is stuck | update deliveries set created_at = 1 where id = ${WAITING}
columns agree with its status | update deliveries set code = 500 where id = ${FIRST}
columns agree with its status | update deliveries set attempts = 0 where id = ${WAITING}
went out in order | update deliveries set last_attempt_at = ${art('2026-03-02 11:51')}, resolved_at = ${art('2026-03-02 11:54')} where id = ${FIRST}
missing from the five-minute tallies | update delivery_tallies set delivered = 0
missing from the five-minute tallies | update open_deliveries set delivered = 0
columns agree with its state | update subscriptions set sync = 'owed' where state = 'failure'
columns agree with its state | update subscriptions set consecutive_failures = 10 where id = ${UNTOUCHED}
counts failures after its last automatic delivery succeeded | update subscriptions set consecutive_failures = 2 where version = 2 and state = 'active'
over its 5 webhooks | ${addSubscriptions('webhook', 3)}
over its 20 alerts | ${addSubscriptions('alert', 21)}
every alert has its rule | delete from alerts
over its 5 keys | insert into api_keys (id, account_id, name, prefix, hash, inherited, created_at) select n.value, account_id, name, prefix, n.value, 0, created_at from api_keys, (select value from json_each('["1","2","3","4","5"]')) n
every sealed field opens | update subscriptions set secret_sealed = url_sealed where id = ${UNTOUCHED}
every sealed field opens | update subscriptions set authorization_sealed = 'v1.gone.a.b' where id = ${UNTOUCHED}
every sealed field opens | update subscriptions set destination = 'https://another.example.com' where id = ${UNTOUCHED}
its pair’s last point | update current_quotes set sell = sell + 1
its pair’s last point | insert into points select pair, at + 1, buy + 1, sell, source from points order by at desc limit 1
the last sell before its day | update current_quotes set reference_sell = 1
changes its pair’s value | insert into points select pair, at + 1, buy, sell, source from points order by at limit 1
candle of the last week | update daily_candles set high = high + 1
candle of the last week | delete from daily_candles where day = '2026-03-02'
candle of the last week | ${copied('daily_candles', { day: "'2026-02-27'" }, 'from daily_candles limit 1')}
none is simulated among real ones | update points set source = 'demo:ambito-blue' where at = ${art('2026-03-02 11:50')}
none is simulated among real ones | update points set source = 'import:demo-days' where at = ${art('2026-03-02 11:50')}
the board shows | update current_quotes set source = 'another'
availability adds up | update availability set down = down + 86400000
every subscription has an account | update subscriptions set account_id = 'nobody' where id = ${UNTOUCHED}
belongs to a subscription | update deliveries set subscription_id = 'gone' where id = ${FIRST}
in the future | insert into points select pair, at + 172800000, buy + 1, sell, source from points limit 1
more than one held value | insert into quarantine (pair, buy, sell, source, reason, status, first_seen_at, last_seen_at) select 3, 1, 1, 's', 'r', 'held', 1, 1 from json_each('[1,2]')
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [string, string])

it('names each invariant when a statement breaks it, with ids and nothing else', async () => {
  const unbroken = checks.filter(({ name }) => !BREAKS.some(([words]) => name.includes(words)))
  expect(unbroken).toEqual([])
  await seedSoundState()
  const tables = await keepTables()

  const silent: string[] = []
  for (const [words, sql] of BREAKS) {
    const check = checks.find(({ name }) => name.includes(words))!
    await env.DB.prepare(sql).run()
    const line = lineOf(check.name, await check.run(await scope()))
    if (!line.startsWith('FALSE ')) silent.push(`${words}: ${sql}`)
    expect(line).not.toMatch(/receptor|Bearer|v1\.test\./)
    await restoreTables(tables)
  }
  expect(silent).toEqual([])
})

it('prints false invariants and fails; expects no deliveries of changes up to --since', async () => {
  await seedSoundState()
  await changeRows('subscriptions', { consecutiveFailures: 0 }, { state: 'failure' })
  await env.DB.prepare(`delete from deliveries where id = ${FIRST}`).run()
  await env.BOARD.delete(BOARD_KEY)
  const lines = await audit('--since', '2026-03-02T14:40:00Z')
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([
    expect.stringMatching(/^FALSE +every webhook’s columns agree .*: 1 of 5: [0-9a-f-]{36}$/),
    expect.stringMatching(/^FALSE +the board.*no board/),
    `error: 2 of ${checks.length} invariants are false`,
  ])
  expect((await audit())[0]).toMatch(/^FALSE .* 2026-03-02T14:35:00Z$/)
})

it('does not report a board that waits for the cycle after a correction', async () => {
  await seedSoundState()
  const point = ['usd/blue', '2026-03-02T11:50:00-03:00']
  await runAdmin(context, 'points', 'replace', ...point, '1416', '1436', '--reason', 'wrong')
  expect((await audit()).filter((line) => !line.startsWith('ok '))).toEqual([
    expect.stringMatching(/^not checked +the board.* shows after the next cycle$/),
  ])
})

/** A queue that drops its messages: the story decides what is sent. */
const NOBODY = { sendBatch: async () => {} }

/** Seven minutes: the failed attempt of the story is due again after the last cycle. */
const WAITS = [420, 420, 420] as const

/**
 * A small service after a day of work, made by its own code, in which `audit` finds no fault:
 * yesterday one cycle; today three changes of the blue dollar, with an alert by webhook, an alert
 * by e-mail and three webhooks: one that never changed and waits for a retry, one that was
 * activated meanwhile, one paused by its failures.
 */
async function seedSoundState(): Promise<void> {
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
  await deliverAll(art('2026-03-02 11:51'), (post) =>
    post.subscriptionId === untouched ? 500 : 204,
  )
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

/** Sends what is due. */
async function deliverAll(now: Instant, answers: Answers = () => 204): Promise<void> {
  const fixture = createFixture(answers, { waits: WAITS })
  fixture.set(now)
  await fixture.sweep()
  const { results } = await env.DB.prepare(
    `select id from deliveries where status in ('pending', 'failed') order by id`,
  ).all<{ id: number }>()
  await fixture.hint(...results.map(({ id }) => id))
}
