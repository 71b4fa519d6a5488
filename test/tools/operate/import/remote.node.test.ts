import { writeFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { addDays } from '../../../../shared/argentine-time.ts'
import { openScratchStorage, type Storage } from '../../../../tools/operate/admin/open-local.ts'
import { remoteDatabase } from '../../../../tools/operate/admin/remote-database.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'
import { runAdmin } from '../../../support/admin.ts'

const DAYS = 3000

afterEach(() => void vi.unstubAllEnvs())

/** A file of the dollars by day, which move on each of them. */
function writeDollars(file: string): void {
  const rows = Array.from({ length: DAYS }, (_, day) =>
    ['blue', 'oficial', 'mayorista'].map((casa, pair) => ({
      casa,
      compra: 100 + day + pair,
      venta: 102 + day + pair,
      fecha: addDays('2015-01-01', day),
    })),
  )
  writeFileSync(file, JSON.stringify(rows.flat()))
}

/** A database that takes SQL texts alone, and the bytes of each command that it got. */
function openRemote(local: Storage) {
  const sizes: number[] = []
  // What wrangler would get: SQL texts with the values in them, one command a batch.
  const db = remoteDatabase(async (statements) => {
    sizes.push(Buffer.byteLength(statements.join(';\n')))
    return local.db.batch(statements.map((sql) => local.db.prepare(sql)))
  })
  return { sizes, storage: { db, kv: local.kv, remote: true } }
}

it('imports history into a remote database in commands it can take', async () => {
  using scratch = openScratch()
  const file = scratch.file('cotizaciones-dolares.json')
  writeDollars(file)
  await using local = await openScratchStorage()
  const { sizes, storage } = openRemote(local)

  const lines = await runAdmin(storage, 'import', file)
  expect(lines.at(-1)).toBe(`${3 * DAYS} new points made from 1 file(s)`)
  expect(await local.db.prepare('select count(*) as n from points').first('n')).toBe(3 * DAYS)
  expect(Math.max(...sizes)).toBeLessThan(100_000)
  // As much as one command could not take.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(200_000)
})

it('imports keys and webhooks of v1 into a remote database in commands it can take', async () => {
  using scratch = openScratch()
  const path = 'a'.repeat(1900)
  const webhook = { type: 'USD_BLUE', method: 'POST' }
  const account = {
    email: 'ana@ejemplo.com.ar',
    keys: Array.from({ length: 500 }, (_, key) => ({ name: 'n'.repeat(60), key: `v1-${key}` })),
    webhooks: Array.from({ length: 50 }, (_, id) => ({
      ...webhook,
      id,
      url: `https://a.example.com/${path}`,
    })),
  }
  writeFileSync(scratch.file('v1.json'), JSON.stringify({ accounts: [account] }))
  await using local = await openScratchStorage()
  const { sizes, storage } = openRemote(local)

  vi.stubEnv('KEY_ENCRYPTION_KEYS', `k1:${Buffer.alloc(32, 7).toString('base64')}`)
  const lines = await runAdmin(storage, 'import-v1', scratch.file('v1.json'))
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^keys: 500 imported/),
    expect.stringMatching(/^webhooks: 50 imported/),
  ])
  expect(Math.max(...sizes)).toBeLessThan(100_000)
})
