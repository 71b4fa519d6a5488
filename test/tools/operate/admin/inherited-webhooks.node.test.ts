import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openLocal } from '../../../../tools/operate/admin/open-local.ts'

const state = mkdtempSync(join(tmpdir(), 'cotizaciones-webhooks-'))
afterAll(() => rmSync(state, { recursive: true, force: true }))

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

it('webhooks of v1 come over paused, once, sealed, and are sealed anew when the secret changes', async () => {
  const file = join(state, 'v1.json')
  writeFileSync(file, JSON.stringify({ accounts: [{ email: 'ana@ejemplo.com.ar', webhooks }] }))

  const first = admin({}, 'import-v1', file)
  expect(first).toContain('webhooks: 7 imported, 0 known, 4 left out')
  expect(first).not.toContain('una-ruta-secreta')
  const imported = await readWebhooks()
  expect(imported).toHaveLength(7)
  expect(imported[0]).toMatchObject({
    state: 'inherited',
    source: 'v1',
    enabled: 0,
    version: 1,
    destination: 'https://receptor.example/***',
    created_at: Date.parse('2024-05-01T13:05:00Z'),
  })

  await change('delete from receivers where rowid = 1')
  expect(admin({}, 'import-v1', file)).toContain('webhooks: 0 imported, 7 known, 4 left out')

  // As an alert by e-mail is, which has no URL.
  await change(
    `update receivers set kind = 'alert', channel = 'email', destination = null, url_sealed = null
     where rowid = 2`,
  )
  const { KEY_ENCRYPTION_KEYS: old } = JSON.parse(readFileSync(join(state, 'secrets.json'), 'utf8'))
  const keys = `k2:${Buffer.alloc(32, 'another').toString('base64')}`
  const rotated = { KEY_ENCRYPTION_KEYS: `${keys},${old}` }
  expect(admin(rotated, 'reseal')).toBe('webhooks: 6 resealed, 0 current already, 0 unreadable\n')
  expect(admin(rotated, 'reseal')).toBe('webhooks: 0 resealed, 6 current already, 0 unreadable\n')
  expect(admin({}, 'reseal')).toBe('webhooks: 0 resealed, 0 current already, 6 unreadable\n')
  const sealed = (await readWebhooks()).flatMap((row) => [row['url_sealed'], row['secret_sealed']])
  expect(sealed.filter((text) => String(text).startsWith('v1.k2.'))).toHaveLength(11)

  const files = readdirSync(state, { recursive: true, withFileTypes: true })
  for (const entry of files.filter((entry) => entry.isFile() && entry.name !== 'v1.json'))
    expect(readFileSync(join(entry.parentPath, entry.name)).includes('una-ruta-secreta')).toBe(
      false,
    )
  expect(files.some(({ name }) => name.endsWith('.sqlite'))).toBe(true)
}, 120_000)

function admin(variables: Record<string, string>, ...args: string[]): string {
  return execFileSync('node', ['tools/operate/admin.ts', ...args, '--state', state], {
    encoding: 'utf8',
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

async function readWebhooks(): Promise<Record<string, unknown>[]> {
  await using storage = await openLocal(state)
  return (await storage.db.prepare('select * from receivers').all()).results
}

async function change(sql: string): Promise<void> {
  await using storage = await openLocal(state)
  await storage.db.prepare(sql).run()
}
