import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { describeFailure } from '../../../../tools/operate/admin/describe-failure.ts'
import { openLocal } from '../../../../tools/operate/admin/open-local.ts'
import { admin } from '../../../../tools/prove/harness/service.ts'

const state = mkdtempSync(join(tmpdir(), 'cotizaciones-v1-'))
afterAll(() => rmSync(state, { recursive: true, force: true }))

const file = join(state, 'v1.json')
const webhook = {
  url: 'https://receptor.example/ruta',
  type: 'USD_BLUE',
  method: 'POST',
  created_at: '2024-05-01T10:05:00-03:00',
}

/** Keys of accounts, and some webhooks of each, one of them twice. */
function write(accounts: number, keys: number, webhooks: number): void {
  writeFileSync(
    file,
    JSON.stringify({
      accounts: Array.from({ length: accounts }, (_, account) => ({
        email: `cuenta${account}@ejemplo.com.ar`,
        keys: Array.from({ length: keys }, (_, key) => ({ key: `v1-${account}-${key}` })),
        webhooks: Array.from({ length: webhooks }, (_, id) => ({ ...webhook, id: id % 50 })),
      })),
    }),
  )
}

const importV1 = () => admin(['import-v1', file, '--state', state])

it('thousands of keys and webhooks of v1 come over, and an import cut short is finished', async () => {
  write(50, 3, 2)
  expect((await importV1()).output).toContain('keys: 150 imported')
  write(300, 10, 3)

  expect(await importV1()).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /accounts: 250 made, 50 known\nkeys: 2850 imported, 150 known, 0 left out.*\nwebhooks: 800 imported, 100 known, 0 left out/,
    ),
  })
  expect((await importV1()).output).toMatch(/keys: 0 imported, 3000 known/)

  await using storage = await openLocal(state)
  const { db } = storage
  expect(await db.prepare('select count(*) as n from api_keys').first('n')).toBe(3000)
  expect(await db.prepare('select count(*) as n from receivers').first('n')).toBe(900)
}, 120_000)

it('a webhook that an account has twice in the file comes over once', async () => {
  write(1, 0, 51)
  expect((await importV1()).output).toContain('webhooks: 47 imported, 4 known, 0 left out')
}, 60_000)

it('a failure that no command foresaw is one line, without what the query held', async () => {
  const broken = mkdtempSync(join(tmpdir(), 'cotizaciones-broken-'))
  writeFileSync(join(broken, 'not-a-folder'), '')
  const { code, output } = await admin(['account', 'list', '--state', join(broken, 'not-a-folder')])
  rmSync(broken, { recursive: true })

  expect(code).toBe(1)
  expect(output.trim().split('\n')).toEqual([expect.stringMatching(/^error: /)])

  const query = new Error('Failed query: select 1 params: ana@ejemplo.com.ar', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  })
  expect(describeFailure(query)).toMatch(/^Error, UND_ERR_SOCKET[ :](?!.*ana@)/)
})
