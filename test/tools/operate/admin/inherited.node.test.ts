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
  // One is there twice.
  ...[0, 1, 2, 3, 4, 5, 6, 6].map((id) => ({ ...valid, id })),
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

  // As an import leaves it that was cut short.
  const some = [{ email: 'ana@ejemplo.com.ar', webhooks: webhooks.slice(0, 2) }]
  expect(await v1.importV1(some)).toContain('webhooks: 2 imported, 0 known, 0 left out')
  const first = await v1.importV1(accounts)
  expect(first).toContain('webhooks: 5 imported, 3 known, 4 left out')
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
  expect(await v1.importV1(accounts)).toContain('webhooks: 0 imported, 8 known, 4 left out')

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

it('a failure that no command foresaw is told without what the query held', () => {
  const query = new Error('Failed query: select 1 params: ana@ejemplo.com.ar', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  })
  expect(describeFailure(query)).toMatch(/^Error, UND_ERR_SOCKET[ :](?!.*ana@)/)
})
