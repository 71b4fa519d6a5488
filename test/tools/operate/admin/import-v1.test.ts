import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hashKey } from '../../../../shared/access/api-key.ts'
import { describeFailure } from '../../../../tools/operate/admin/command.ts'
import { statusOfKey } from '../../../support/edge.ts'
import { outputOf, runAdmin } from '../../../support/admin.ts'
import { env } from '../../../support/env.ts'
import { readRows } from '../../../support/rows.ts'

const EMAIL = 'ana@ejemplo.com.ar'
const stateDir = mkdtempSync('/tmp/v1-')

const admin = async (...words: string[]) =>
  (await runAdmin({ db: env.DB, kv: env.BOARD, stateDir }, ...words)).join('\n')

async function importText(text: string): Promise<string> {
  const file = join(stateDir, 'v1.json')
  writeFileSync(file, text)
  return outputOf({ db: env.DB, kv: env.BOARD, stateDir }, 'import-v1', file)
}

const importV1 = (...accounts: object[]) => importText(JSON.stringify({ accounts }))

const PLAIN = ['v1-uno', 'v1-dos', 'TRES==', 'cuatro.4', 'cinco', 'seis', "si'ete"]
const KEYS = [
  ...PLAIN.map((key) => ({ name: key.slice(0, 4), key, createdAt: '2024-05-01T10:00:00Z' })),
  { name: 'por hash', sha256: 'AB'.repeat(32), createdAt: '2024-05-01' },
]
const ACCOUNTS = [
  { email: 'Ana@Ejemplo.com.ar', keys: KEYS },
  { email: 'eva@ejemplo.com.ar', keys: [{ key: 'cinco' }] },
]
const TAKEN = 'accounts[1].keys[0] left out: another account has this key'

it('imports accounts and keys of any form, also more than five, and all keys work', async () => {
  expect((await importV1(...ACCOUNTS)).split('\n')).toEqual([
    TAKEN,
    'accounts: 2 made, 0 known',
    'keys: 8 imported, 0 known',
    'webhooks: 0 imported, 0 known',
    'error: 1 left out, as listed above',
  ])
  for (const key of PLAIN) expect(await statusOfKey(key)).toBe(200)
  const keys = await admin('key', 'list', EMAIL)
  expect(keys.split('\n')).toHaveLength(8)
  expect(keys).toContain('v1  v1-u  made 2024-05-01  last used 2026-03-02  inherited')
  expect(keys).toContain('sha256:abababab  por hash  made 2024-04-30  never used')

  const stored = JSON.stringify(await readRows('apiKeys'))
  expect(stored).toContain(await hashKey('cuatro.4'))
  for (const key of ['cuatro.4', 'cinco', "si'ete"]) expect(stored).not.toContain(`"${key}"`)
  await expect(admin('key', 'create', EMAIL, 'x')).rejects.toThrow('5 keys or more')
})

it('finishes an interrupted import; a repeated import does not change rotated and revoked keys', async () => {
  await importV1({ email: EMAIL, keys: KEYS.slice(0, 3) })
  const finished = await importV1(...ACCOUNTS)
  expect(finished).toContain('accounts: 1 made, 1 known\nkeys: 5 imported, 3 known\n')
  await admin('key', 'revoke', EMAIL, 'sha256:abababab')
  await admin('key', 'rotate', EMAIL, 'cu')
  const before = await admin('key', 'list', EMAIL)

  const again = await importV1(...ACCOUNTS)
  expect(again).toContain('accounts: 0 made, 2 known\nkeys: 0 imported, 8 known\n')
  expect(await admin('key', 'list', EMAIL)).toBe(before)

  // The marks are deleted with the account.
  await admin('account', 'delete', EMAIL, '--yes')
  expect(await importV1(...ACCOUNTS)).toContain('accounts: 1 made, 1 known\nkeys: 8 imported')
})

/** A file with one key. */
const one = (key: object) => JSON.stringify({ accounts: [{ email: EMAIL, keys: [key] }] })

it.each([
  ['{', 'the file is not JSON'],
  ['{}', 'the file is not of v1: accounts '],
  ['{"accounts":[{"email":"ana"}]}', 'accounts[0].email is no e-mail address'],
  [one({ name: 'x' }), 'accounts[0].keys[0] has neither key nor sha256'],
  [one({ sha256: 'abc' }), 'accounts[0].keys[0].sha256 is not 64 hexadecimal digits'],
  [one({ key: 'x', createdAt: '2024-05-01T10:00:00' }), 'createdAt'],
  [one({ key: 'una clave' }), 'accounts[0].keys[0].key is a key that no header can carry'],
])('a file %s is refused, without a key in the message', async (text, message) => {
  const error = await importText(text)
  expect(error).toContain(message)
  expect(error).not.toContain('una clave')
})

const WEBHOOK = {
  url: 'https://receptor.example/una-ruta-secreta',
  type: 'USD_BLUE',
  method: 'POST',
  enabled: true,
  last_sent: null,
  created_at: '2024-05-01T10:05:00-03:00',
}
const WEBHOOKS = [
  // One id appears twice.
  ...[0, 1, 2, 3, 4, 5, 6, 6].map((id) => ({ ...WEBHOOK, id })),
  { ...WEBHOOK, id: 'get', method: 'GET' },
  { ...WEBHOOK, id: 'pair', type: 'CLP_BLUE' },
  { ...WEBHOOK, id: 'inner', url: 'https://192.168.0.1/una-ruta-secreta' },
  { ...WEBHOOK, id: 'http', url: 'http://receptor.example/una-ruta-secreta' },
]

it('webhooks are imported once, paused and sealed', async () => {
  const cut = await importV1({ email: EMAIL, webhooks: WEBHOOKS.slice(0, 2) })
  expect(cut).toContain('webhooks: 2 imported, 0 known')
  const imported = await importV1({ email: EMAIL, webhooks: WEBHOOKS })
  expect(imported).toContain('webhooks: 5 imported, 3 known')
  expect(imported.match(/webhooks\[\d+\] left out: .+/g)).toEqual([
    'webhooks[8] left out: its method is not POST',
    'webhooks[9] left out: its type is no pair of the catalogue',
    expect.stringMatching(/^webhooks\[10\] left out: its url is refused \(\w+\)$/),
    expect.stringMatching(/^webhooks\[11\] left out: its url is refused \(\w+\)$/),
  ])
  expect(imported).not.toContain('una-ruta-secreta')
  const rows = await readRows('subscriptions')
  expect(rows).toHaveLength(7)
  expect(rows[0]).toMatchObject({
    state: 'inherited',
    source: 'v1',
    version: 1,
    destination: 'https://receptor.example/***',
    createdAt: Date.parse('2024-05-01T13:05:00Z'),
  })
  expect(JSON.stringify([rows, await readRows('importMarks')])).not.toContain('una-ruta-secreta')

  await env.DB.prepare('delete from subscriptions where rowid = 1').run()
  const again = await importV1({ email: EMAIL, webhooks: WEBHOOKS })
  expect(again).toContain('webhooks: 0 imported, 8 known')
})

it('an unforeseen failure is printed without the values of its query', () => {
  const query = new Error('Failed query: select 1 params: ana@ejemplo.com.ar', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  })
  expect(describeFailure(query)).toMatch(/^Error, UND_ERR_SOCKET[ :](?!.*ana@)/)
})
