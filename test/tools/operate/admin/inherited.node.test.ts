import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { describeFailure } from '../../../../tools/operate/admin/command.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'
import { openLocal } from '../../../../tools/operate/admin/open-local.ts'
import { runAdmin } from '../../../support/admin.ts'

const valid = {
  url: 'https://receptor.example/una-ruta-secreta',
  type: 'USD_BLUE',
  method: 'POST',
  enabled: true,
  last_sent: null,
  created_at: '2024-05-01T10:05:00-03:00',
}
const webhooks = [
  ...Array.from({ length: 7 }, (_, index) => ({ ...valid, id: index })),
  { ...valid, id: 'get', method: 'GET' },
  { ...valid, id: 'pair', type: 'CLP_BLUE' },
  { ...valid, id: 'inner', url: 'https://192.168.0.1/una-ruta-secreta' },
  { ...valid, id: 'http', url: 'http://receptor.example/una-ruta-secreta' },
]

/** An operator with a file of v1. */
async function openImport() {
  const state = temporaryFolder()
  const file = join(state, 'v1.json')
  const storage = await openLocal(state)
  const { db } = storage
  const admin = async (...words: string[]) =>
    (await runAdmin({ ...storage, stateDir: state, now: () => Date.now() }, ...words)).join('\n')
  return {
    state,
    db,
    admin,
    importV1(accounts: unknown) {
      writeFileSync(file, JSON.stringify({ accounts }))
      return admin('import-v1', file)
    },
    subscriptions: async () => (await db.prepare('select * from subscriptions').all()).results,
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

it('webhooks of v1 come over paused, once, sealed, and are sealed anew when the secret changes', async () => {
  await using v1 = await openImport()
  const { state, db, admin, subscriptions } = v1
  const accounts = [{ email: 'ana@ejemplo.com.ar', webhooks }]

  const first = await v1.importV1(accounts)
  expect(first).toContain('webhooks: 7 imported, 0 known, 4 left out')
  expect(first).not.toContain('una-ruta-secreta')
  const imported = await subscriptions()
  expect(imported).toHaveLength(7)
  expect(imported[0]).toMatchObject({
    state: 'inherited',
    source: 'v1',
    enabled: 0,
    version: 1,
    destination: 'https://receptor.example/***',
    created_at: Date.parse('2024-05-01T13:05:00Z'),
  })

  await db.prepare('delete from subscriptions where rowid = 1').run()
  expect(await v1.importV1(accounts)).toContain('webhooks: 0 imported, 7 known, 4 left out')

  // As an alert by e-mail is, which has no URL.
  await db
    .prepare(
      `update subscriptions set kind = 'alert', channel = 'email', destination = null, url_sealed = null
       where rowid = 2`,
    )
    .run()
  const { KEY_ENCRYPTION_KEYS: old } = JSON.parse(readFileSync(join(state, 'secrets.json'), 'utf8'))
  const another = `k2:${Buffer.alloc(32, 'another').toString('base64')}`
  vi.stubEnv('KEY_ENCRYPTION_KEYS', `${another},${old}`)
  expect(await admin('reseal')).toBe('webhooks: 6 resealed, 0 current already, 0 unreadable')
  expect(await admin('reseal')).toBe('webhooks: 0 resealed, 6 current already, 0 unreadable')
  vi.unstubAllEnvs()
  expect(await admin('reseal')).toBe('webhooks: 0 resealed, 0 current already, 6 unreadable')
  const sealed = (await subscriptions()).flatMap((row) => [row['url_sealed'], row['secret_sealed']])
  expect(sealed.filter((text) => String(text).startsWith('v1.k2.'))).toHaveLength(11)

  const files = readdirSync(state, { recursive: true, withFileTypes: true })
  for (const entry of files.filter((entry) => entry.isFile() && entry.name !== 'v1.json'))
    expect(readFileSync(join(entry.parentPath, entry.name)).includes('una-ruta-secreta')).toBe(
      false,
    )
  expect(files.some(({ name }) => name.endsWith('.sqlite'))).toBe(true)
})

/** Keys of accounts, and some webhooks of each; those after the fiftieth are there twice. */
function many(accounts: number, keys: number, webhooks: number) {
  return Array.from({ length: accounts }, (_, account) => ({
    email: `cuenta${account}@ejemplo.com.ar`,
    keys: Array.from({ length: keys }, (_, key) => ({ key: `v1-${account}-${key}` })),
    webhooks: Array.from({ length: webhooks }, (_, id) => ({ ...valid, id: id % 50 })),
  }))
}

it('thousands of keys and webhooks of v1 come over once, and an import cut short is finished', async () => {
  await using v1 = await openImport()
  expect(await v1.importV1(many(50, 3, 2))).toContain('keys: 150 imported')

  expect(await v1.importV1(many(300, 10, 3))).toMatch(
    /^accounts: 250 made, 50 known\nkeys: 2850 imported, 150 known, 0 left out.*\nwebhooks: 800 imported, 100 known, 0 left out/,
  )
  expect(await v1.importV1(many(300, 10, 3))).toMatch(/keys: 0 imported, 3000 known/)
  expect(await v1.db.prepare('select count(*) as n from api_keys').first('n')).toBe(3000)
  expect(await v1.subscriptions()).toHaveLength(900)

  expect(await v1.importV1(many(1, 0, 51))).toContain('webhooks: 47 imported, 4 known, 0 left out')
})

it('a failure that no command foresaw is told without what the query held', () => {
  const query = new Error('Failed query: select 1 params: ana@ejemplo.com.ar', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  })
  expect(describeFailure(query)).toMatch(/^Error, UND_ERR_SOCKET[ :](?!.*ana@)/)
})
