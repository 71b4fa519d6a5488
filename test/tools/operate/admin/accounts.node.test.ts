import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const state = mkdtempSync(join(tmpdir(), 'cotizaciones-admin-'))
afterAll(() => rmSync(state, { recursive: true, force: true }))

const admin = (...args: string[]) =>
  execFileSync('node', ['tools/operate/admin.ts', ...args, '--state', state], { encoding: 'utf8' })

it('accounts and keys live through the commands of one state folder', () => {
  admin('account', 'create', 'ana@ejemplo.com.ar')
  const key = admin('key', 'create', 'ana@ejemplo.com.ar', 'mi clave')
  expect(key).toMatch(/^cot_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}\n$/)

  const file = join(state, 'v1.json')
  const keys = [{ name: 'vieja', key: 'v1-7f3a0011', createdAt: '2024-05-01' }]
  writeFileSync(file, JSON.stringify({ accounts: [{ email: 'ana@ejemplo.com.ar', keys }] }))
  expect(admin('import-v1', file)).toContain('keys: 1 imported, 0 known')
  expect(admin('key', 'list', 'ana@ejemplo.com.ar').split('\n')).toEqual([
    'v1-  vieja  made 2024-04-30  never used  inherited',
    expect.stringContaining(`${key.slice(0, 12)}  mi clave  made `),
    '',
  ])

  const refused = spawnSync(
    'node',
    ['tools/operate/admin.ts', 'key', 'list', 'x@y.z', '--state', state],
    {
      encoding: 'utf8',
    },
  )
  expect(refused.status).toBe(1)
  expect(refused.stdout).toBe('')
  expect(refused.stderr).toBe("error: no account x@y.z: make it with 'account create'\n")
}, 120_000)
