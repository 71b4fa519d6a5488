import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { hashKey } from '../../../../shared/access/api-key.ts'
import { removeSubscription } from '../../../../shared/db/change-subscription.ts'
import { runAdmin } from '../../../support/admin.ts'
import { env } from '../../../support/env.ts'
import { statusOfKey } from '../../../support/edge.ts'
import { seedPoints } from '../../../support/points.ts'
import { insertAccount, onlyAccount, seedInheritedKey } from '../../../support/accounts.ts'
import { copyOf, readRows } from '../../../support/rows.ts'
import {
  insertDelivery,
  NOW,
  readDelivery,
  readWebhook,
  seedWebhook,
} from '../../../support/webhooks.ts'

const EMAIL = 'ana@ejemplo.com.ar'
/** Runs a command, whose name has one or two words. */
const run = (name: string, ...args: string[]) =>
  runAdmin({ db: env.DB, kv: env.BOARD }, ...name.split(' '), ...args)

const onlyLine = (lines: string[]) => {
  expect(lines).toHaveLength(1)
  return lines[0]!
}

beforeEach(async () => {
  await run('account create', EMAIL)
})

it('creates, lists, rotates and revokes keys that open the gate meanwhile', async () => {
  const key = onlyLine(await run('key create', EMAIL, 'mi clave'))
  expect(key).toMatch(/^cot_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/)
  const prefix = key.slice(0, 12)
  expect(await run('key list', EMAIL)).toEqual([`${prefix}  mi clave  made 2026-03-02  never used`])
  expect(await statusOfKey(key)).toBe(200)
  expect(await run('key list', EMAIL)).toEqual([
    `${prefix}  mi clave  made 2026-03-02  last used 2026-03-02`,
  ])

  const rotated = onlyLine(await run('key rotate', EMAIL.toUpperCase(), prefix.slice(4)))
  expect([await statusOfKey(key), await statusOfKey(rotated)]).toEqual([401, 200])

  await run('key revoke', EMAIL, rotated.slice(0, 12))
  expect(await statusOfKey(rotated)).toBe(401)
  expect(await run('key list', EMAIL)).toEqual([])
})

it('lists and deletes accounts', async () => {
  await run('account create', 'Eva@Ejemplo.com.ar')
  expect(await run('account list')).toEqual([
    'ana@ejemplo.com.ar  since 2026-03-02T12:00:00.000-03:00',
    'eva@ejemplo.com.ar  since 2026-03-02T12:00:00.000-03:00',
  ])
  const deleted = await run('account delete', EMAIL.toUpperCase(), '--yes')
  expect(deleted).toEqual([`deleted ${EMAIL}`])
  expect(await run('account list')).toHaveLength(1)
})

it('lists, corrects and removes points', async () => {
  await seedPoints('usd/blue', ['2026-03-01 10:00', 1400, 1420], ['2026-03-02 10:00', 1410, 1430])
  const [first, second] = ['2026-03-01T10:00:00.000-03:00', '2026-03-02T10:00:00.000-03:00']
  const reason = ['--reason', 'typo']
  expect(await run('points replace', 'usd/blue', first, '1401', '1421.5', ...reason)).toEqual([
    `USD/BLUE ${first} is now 1401 / 1421.5`,
  ])
  await run('points remove', 'usd/blue', second, ...reason)
  const days = ['--from', '2026-03-01', '--to', '2026-03-02']
  expect(await run('points', 'usd/blue', ...days)).toEqual([
    `${first}  1401  1421.5  correction`,
    '1 point of USD/BLUE',
  ])
})

const AT = '2026-03-01T10:00-03:00'
it.each([
  [
    'points',
    ['usd/blue', '--from', '2026-03-03', '--to', '2026-03-02'],
    '--from must not be after',
  ],
  ['points replace', ['usd/blue', AT, '1', '2', '--reason', ' '], 'add a reason: --reason TEXT'],
  ['points replace', ['usd/blue', AT, '1', '1,5', '--reason', 'x'], '1,5 is no price'],
  ['points replace', ['usd/blue', AT, '3', '2', '--reason', 'x'], '3 / 2 is a buy above its sell'],
  ['points replace', ['arg/cer', AT, '1', '2', '--reason', 'x'], 'ARG/CER has one value'],
  ['points remove', ['usd/blue', '2026-03-01T10:00', '--reason', 'x'], 'no instant with a zone'],
  ['points remove', ['usd/blue', AT, '--reason', 'x'], 'there is no point at exactly this instant'],
  ['account create', [EMAIL], `the account ${EMAIL} exists already`],
  ['account create', ['ana'], "'ana' is no e-mail address"],
  ['account list', ['x'], 'too many arguments'],
  ['account delete', ['eva@x.com'], "no account eva@x.com: see 'account list'"],
  ['account delete', [EMAIL], `nothing is deleted: give --yes to delete ${EMAIL}`],
  ['webhook list', ['b.example'], 'no webhook of b.example: give the e-mail of an account, the id'],
  ['webhook redeliver', ['b.example', '--since', 'x'], '--since needs an instant'],
  ['guard', [], "missing required argument 'PAIR'"],
  ['guard', ['usd/xyz'], 'no pair usd/xyz in the catalogue'],
  ['key create', ['eva@x.com', 'n'], "no account eva@x.com: see 'account list'"],
  ['key create', [EMAIL, ' '], 'NAME must have 1 to 60 characters on one line'],
  ['key revoke', [EMAIL, '%'], `${EMAIL} has no key with that prefix: see 'key list'`],
])('%s %j fails with one clear line', async (name, args, message) => {
  await expect(run(name, ...args)).rejects.toThrow(message)
})

it('changes neither of two keys with the same prefix', async () => {
  const id = await onlyAccount()
  for (const name of ['a', 'b']) await seedInheritedKey(id, { hash: await hashKey(name), name })

  const several = `${EMAIL} has several keys with that prefix`
  await expect(run('key revoke', EMAIL, 'v1')).rejects.toThrow(several)
})

/** Two webhooks and an alert by webhook of Ana's account, each with its own host. */
async function seedWebhooks() {
  const accountId = await onlyAccount()
  const [first, second] = [
    await seedWebhook({ accountId, host: 'a.example' }),
    await seedWebhook({ accountId, host: 'b.example', createdAt: NOW + 1 }),
  ]
  return { accountId, first, second }
}

it('finds webhooks by account, id and host, pauses them, and redelivers what they missed', async () => {
  const { first, second } = await seedWebhooks()
  const lines = await run('webhook list', EMAIL)
  expect(lines).toEqual([
    `${first}  webhook  ${EMAIL}  USD/BLUE  https://a.example/***  active  0 failures`,
    `${second}  webhook  ${EMAIL}  USD/BLUE  https://b.example/***  active  0 failures`,
  ])
  expect(await run('webhook list', 'A.example')).toEqual(lines.slice(0, 1))
  expect(await run('webhook list', second)).toEqual(lines.slice(1))

  const dead = { status: 'dead', attempts: 4, code: 503, resolvedAt: NOW } as const
  const id = await insertDelivery(first, dead)
  await insertDelivery(second)
  expect(await run('webhook deliveries', first)).toEqual([
    expect.stringMatching(/^2026-03-02T\S+  \S+  of \S+  automatic  dead after 4  503$/),
  ])
  const since = ['--since', '2026-03-01T00:00:00Z']
  expect(await run('webhook redeliver', 'a.example', ...since)).toEqual([
    `${first}: 1 again, 0 left`,
  ])
  expect(await readDelivery(id)).toMatchObject({ status: 'pending', redelivered: true })

  const { secretSealed } = await readWebhook(second)
  expect(await run('webhook pause', 'b.example')).toEqual([`paused ${second}`])
  expect(await readWebhook(second)).toMatchObject({ state: 'manual', secretSealed })
  expect((await readRows('deliveries', { subscriptionId: second }))[0]!.status).toBe('cancelled')
  await expect(run('webhook redeliver', second, ...since)).rejects.toThrow(
    'not redelivered: paused',
  )
})

it('removes again the accounts, keys and webhooks that came back with a restored database', async () => {
  const { accountId, first, second } = await seedWebhooks()
  const keys = [await run('key create', EMAIL, 'a'), await run('key create', EMAIL, 'b')].flat()
  const copies = await Promise.all([copyOf('accounts'), copyOf('apiKeys'), copyOf('subscriptions')])
  const file = join(mkdtempSync('/tmp/travel-'), 'before.json')

  // Changes after the moment to which the database goes back.
  await run('account create', 'eva@ejemplo.com.ar')
  const rotated = onlyLine(await run('key rotate', EMAIL, keys[0]!.slice(0, 12)))
  await run('key revoke', EMAIL, keys[1]!.slice(0, 12))
  await run('webhook pause', first)
  await removeSubscription(env.DB, { id: second, accountId, version: 1 }, 'webhook')
  expect(await run('time-travel before', file)).toEqual(['2 accounts, 1 keys, 1 webhooks noted'])

  for (const { empty } of copies) await empty()
  for (const { restore } of copies) await restore()
  await insertAccount('revived', 'revived@example.com')
  expect(await run('time-travel after', file)).toEqual([
    '1 accounts, 2 keys, 2 webhooks removed or changed again',
    '1 accounts, 0 keys, 0 webhooks made since are gone',
    '  eva@ejemplo.com.ar',
  ])
  expect(await Promise.all([...keys, rotated].map(statusOfKey))).toEqual([401, 401, 200])
  expect(await readWebhook(first)).toMatchObject({ state: 'manual' })
  expect(await readRows('subscriptions')).toHaveLength(1)
  expect(await run('account list')).toHaveLength(1)
})
