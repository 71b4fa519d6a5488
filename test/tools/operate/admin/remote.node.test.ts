import * as fc from 'fast-check'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it, vi } from 'vitest'
import { addDays } from '../../../../shared/argentine-time.ts'
import { checks } from '../../../../tools/operate/admin/audit.ts'
import { inlineParameters, openRemote } from '../../../../tools/operate/admin/open-remote.ts'

import { temporaryFolder } from '../../../../tools/support/scratch.ts'
import { runAdmin } from '../../../support/admin.ts'

const KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`

afterEach(() => void vi.unstubAllEnvs())

/** An empty deployed database, behind a wrangler that runs the SQL, and the texts that it got. */
function openDeployed() {
  const sqlite = new DatabaseSync(':memory:')
  for (const file of readdirSync('migrations').filter((name) => name.endsWith('.sql')))
    sqlite.exec(readFileSync(join('migrations', file), 'utf8'))

  const calls: string[] = []
  const { db, kv } = openRemote('', async (args) => {
    if (args[0] === 'kv') throw new Error('no such key')
    expect(args.slice(0, 4)).toEqual(['d1', 'execute', 'cotizaciones', '--remote'])
    const sql = args.find((arg) => arg.startsWith('--command='))!.slice('--command='.length)
    calls.push(sql)
    const results = sql
      .split(/;\n|;$/)
      .filter((statement) => statement.trim())
      .map((statement) => ({ results: sqlite.prepare(statement).all(), success: true, meta: {} }))
    return JSON.stringify(results)
  })
  return { db, kv, remote: true, calls }
}

it('runs statements with their values through wrangler d1 execute, a batch in one call', async () => {
  const { db, calls } = openDeployed()
  await db.prepare('create table names (id integer primary key, name text)').run()
  await db.batch([
    db.prepare('insert into names (name) values (?)').bind("O'Higgins; drop table names"),
    db.prepare('insert into names (name) values (?)').bind(null),
  ])
  const all = await db.prepare('select name from names order by id').all()
  expect(all.results).toEqual([{ name: "O'Higgins; drop table names" }, { name: null }])
  expect(calls).toHaveLength(3)
})

it('refuses statements that are too long for a command line, and prints none of them', async () => {
  const failing = openRemote().db.prepare('select ?').bind('secret@example.com'.repeat(9000)).all()
  await expect(failing).rejects.toThrow('too much for one remote statement')
})

it('reads the KV namespace with the deployment’s name', async () => {
  const calls: string[][] = []
  const { kv } = openRemote('-staging', async (args) => {
    calls.push(args)
    if (args[1] === 'namespace')
      return JSON.stringify([
        { id: 'k-1', title: 'cotizaciones-board' },
        { id: 'k-2', title: 'cotizaciones-board-staging' },
      ])
    return 'text'
  })
  expect(await kv.get('board')).toBe('text')
  expect(calls.map((args) => args.at(-1))).toEqual(['list', '--namespace-id=k-2'])
})

it('audits a deployed database, and says what it cannot check', async () => {
  const { calls, ...storage } = openDeployed()
  const lines = await runAdmin(storage, 'audit')
  expect(lines).toHaveLength(checks.length)
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([
    expect.stringMatching(/^not checked +every sealed field opens.*: give KEY_ENCRYPTION_KEYS$/),
  ])
  // Only queries.
  expect(calls.filter((sql) => !/^\s*(select|with)\b/i.test(sql))).toEqual([])
})

it('opens sealed fields with the keys of the environment, and refuses other texts', async () => {
  vi.stubEnv('KEY_ENCRYPTION_KEYS', KEYS)
  const lines = await runAdmin(openDeployed(), 'audit')
  expect(lines).toContainEqual(expect.stringMatching(/^ok +every sealed field/))
  vi.stubEnv('KEY_ENCRYPTION_KEYS', 'short')
  await expect(runAdmin(openDeployed(), 'audit')).rejects.toThrow(
    'KEY_ENCRYPTION_KEYS must be as the service has it',
  )
})

/** The dollar by day, which changes every day. */
const DAYS = 3000
const DOLLARS = Array.from({ length: DAYS }, (_, day) =>
  ['blue', 'oficial', 'mayorista'].map((casa, pair) => ({
    casa,
    compra: 100 + day + pair,
    venta: 102 + day + pair,
    fecha: addDays('2015-01-01', day),
  })),
).flat()

const V1 = {
  email: 'ana@ejemplo.com.ar',
  keys: Array.from({ length: 500 }, (_, key) => ({ name: 'n'.repeat(60), key: `v1-${key}` })),
  webhooks: Array.from({ length: 50 }, (_, id) => ({
    type: 'USD_BLUE',
    method: 'POST',
    id,
    url: `https://a.example.com/${'a'.repeat(1900)}`,
  })),
}

it.each([
  ['import', 'cotizaciones-dolares.json', DOLLARS, '9000         9000', 'points', 3 * DAYS],
  ['import-v1', 'v1.json', { accounts: [V1] }, 'keys: 500 imported', 'subscriptions', 50],
])('%s writes to a deployed database in commands of an accepted length', async (...row) => {
  const [name, file, json, line, table, count] = row
  vi.stubEnv('KEY_ENCRYPTION_KEYS', KEYS)
  const { calls, ...storage } = openDeployed()
  const path = join(temporaryFolder(), file)
  writeFileSync(path, JSON.stringify(json))
  expect((await runAdmin(storage, name, path)).join()).toContain(line)
  const sizes = calls.map((sql) => Buffer.byteLength(sql))
  expect(Math.max(...sizes)).toBeLessThan(100_000)
  // More than one command could take.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(200_000)
  expect(await storage.db.prepare(`select count(*) as n from ${table}`).first('n')).toBe(count)
})

const sqlite = new DatabaseSync(':memory:')
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom("'", '"', '?', '-', '*', '/', '\\', '\n', ';', '\0', 'á', '`'),
  }),
  fc.maxSafeInteger(),
  fc.constant(null),
)

it('writes any value so that SQLite reads the same value', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
      const sql = `select ${values.map((_, index) => `? as c${index}`).join(', ')}`
      const inlined = sqlite.prepare(inlineParameters(sql, values)).get()!
      // A lone surrogate has no UTF-8 form, so every way to a database makes it U+FFFD.
      expect(Object.values(inlined)).toEqual(
        values.map((one) => (typeof one === 'string' ? one.toWellFormed() : one)),
      )
    }),
  )
})

it.each([
  ['select \'?\', "?", `?` -- ?\n, /* ? */ ?', ['a'], "select '?', \"?\", `?` -- ?\n, /* ? */ 'a'"],
  ['select ?2, ?1, ?', [1, 'b', 3], "select 'b', 1, 3"],
  ["select 'it''s ?', ?", ['x'], "select 'it''s ?', 'x'"],
  ['select 3-?', [-1], 'select 3-(-1)'],
  ['select ?', [true], 'select 1'],
])('inlines %j', (sql, values, expected) => {
  expect(inlineParameters(sql, values)).toBe(expected)
})

it('refuses a parameter without a value and a number without a literal', () => {
  expect(() => inlineParameters('select ?, ?', [1])).toThrow(RangeError)
  expect(() => inlineParameters('select ?', [Number.NaN])).toThrow(RangeError)
})
