import { beforeEach, expect, it } from 'vitest'
import { hashKey } from '../../../../shared/access/api-key.ts'
import { accountCommands } from '../../../../tools/operate/admin/account.ts'
import { keyCommands } from '../../../../tools/operate/admin/key.ts'
import { runAdmin } from '../../../support/admin.ts'
import { openEdge } from '../../../support/edge.ts'
import { art } from '../../../support/instant.ts'
import { onlyAccount, seedInheritedKey } from '../../../support/accounts.ts'

const EMAIL = 'ana@ejemplo.com.ar'
const run = (name: string, ...args: string[]) =>
  runAdmin([...accountCommands, ...keyCommands], name, ...args)

async function statusOf(key: string): Promise<number> {
  const edge = openEdge({ now: art('2026-03-02 12:00') })
  const response = await edge.fetch('/api/v2/auth/check', { headers: { 'x-api-key': key } })
  return response.status
}

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
  expect(await statusOf(key)).toBe(200)
  expect(await run('key list', EMAIL)).toEqual([
    `${prefix}  mi clave  made 2026-03-02  last used 2026-03-02`,
  ])

  const rotated = onlyLine(await run('key rotate', EMAIL.toUpperCase(), prefix.slice(4)))
  expect([await statusOf(key), await statusOf(rotated)]).toEqual([401, 200])

  await run('key revoke', EMAIL, rotated.slice(0, 12))
  expect(await statusOf(rotated)).toBe(401)
  expect(await run('key list', EMAIL)).toEqual([])
})

it('lists and deletes accounts', async () => {
  await run('account create', 'Eva@Ejemplo.com.ar')
  expect(await run('account list')).toEqual([
    'ana@ejemplo.com.ar  since 2026-03-02T12:00:00.000-03:00',
    'eva@ejemplo.com.ar  since 2026-03-02T12:00:00.000-03:00',
  ])
  expect(await run('account delete', EMAIL)).toEqual([`deleted ${EMAIL}`])
  expect(await run('account list')).toHaveLength(1)
})

it.each([
  ['account create', [EMAIL], `the account ${EMAIL} exists already`],
  ['account create', ['ana'], "'ana' is no e-mail address"],
  ['account create', [], "missing required argument 'EMAIL'"],
  ['account list', ['x'], 'too many arguments'],
  ['account delete', ['eva@x.com'], "no account eva@x.com: see 'account list'"],
  ['key create', ['eva@x.com', 'n'], "no account eva@x.com: make it with 'account create'"],
  ['key create', [EMAIL], "missing required argument 'NAME'"],
  ['key create', [EMAIL, ' '], 'NAME must have 1 to 60 characters on one line'],
  ['key rotate', [EMAIL, 'cot_12345678'], `${EMAIL} has no key with that prefix: see 'key list'`],
  ['key revoke', [EMAIL, '%'], `${EMAIL} has no key with that prefix: see 'key list'`],
])('%s %j fails with one clear line', async (name, args, message) => {
  await expect(run(name, ...args)).rejects.toThrow(message)
})

it('refuses a sixth key', async () => {
  for (let index = 0; index < 5; index++) await run('key create', EMAIL, `clave ${index}`)
  await expect(run('key create', EMAIL, 'otra')).rejects.toThrow(
    `${EMAIL} has 5 keys or more: revoke until fewer remain`,
  )
})

it('touches neither of two keys with one prefix', async () => {
  const id = await onlyAccount()
  for (const name of ['a', 'b']) await seedInheritedKey(id, { hash: await hashKey(name), name })

  const several = `${EMAIL} has several keys with that prefix`
  await expect(run('key revoke', EMAIL, 'v1')).rejects.toThrow(several)
})
