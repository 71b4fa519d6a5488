import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalStorage } from '../../../../tools/operate/local/local-storage.ts'
import { openMiniflare } from '../../../../tools/operate/local/miniflare.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'

/** D1 and KV through the small Worker, and Miniflare's own proxies of the same ones. */
let over: D1Database
let own: D1Database
let kv: KVNamespace
let ownKv: KVNamespace
let ask: (token: string) => Promise<number>
const closing = new AsyncDisposableStack()

beforeAll(async () => {
  const scratch = closing.use(openScratch())
  const { module, token, ...storage } = createLocalStorage()
  const miniflare = await openMiniflare(
    scratch.path,
    { 'storage.js': module },
    {
      DB: { type: 'd1', id: 'test' },
      BOARD: { type: 'kv', id: 'test' },
      TOKEN: { type: 'text', value: token },
    },
  )
  closing.defer(() => miniflare.dispose())
  ;({ db: over, kv } = storage.over((url, init) => miniflare.dispatchFetch(url, init)))
  const bindings = await miniflare.getBindings<{ DB: D1Database; BOARD: KVNamespace }>()
  ;({ DB: own, BOARD: ownKv } = bindings)
  ask = async (given) => {
    const init = { method: 'POST', headers: { token: given }, body: '[]' }
    const response = await miniflare.dispatchFetch('http://storage.invalid', init)
    await response.text()
    return response.status
  }
  await over.prepare('create table t (id integer primary key, value any) strict').run()
})
afterAll(() => closing.disposeAsync())

it.each<[string, string | number | null]>([
  ['a text', 'ñ \u0000 "\'? 😀'],
  ['a whole number', Number.MAX_SAFE_INTEGER],
  ['a fraction', 0.1],
  ['nothing', null],
])('keeps %s, as the database’s own binding does', async (_, value) => {
  const insert = 'insert into t (value) values (?1) returning value, typeof(value) as type'
  const made = await over.prepare(insert).bind(value).all()
  expect(made.results).toEqual((await own.prepare(insert).bind(value).all()).results)
  expect(made.meta.changes).toBe(1)
})

it('runs a batch whole or not at all, and says what failed', async () => {
  const count = () => over.prepare('select count(*) as n from t').first('n')
  const insert = (id: number) => over.prepare('insert into t (id) values (?)').bind(id)
  const before = await count()

  const error = await over.batch([insert(901), insert(901)]).catch((thrown: unknown) => thrown)
  expect(String(error)).toMatch(/UNIQUE constraint failed: t\.id/)
  expect((error as Error).cause).toBeInstanceOf(Error)
  expect(await count()).toBe(before)

  const results = await over.batch([insert(901), insert(902)])
  expect(results.map(({ meta }) => meta.last_row_id)).toEqual([901, 902])
  expect(await over.batch([])).toEqual([])
})

it('reads one row, one column of it, or none', async () => {
  const row = over.prepare('select ?1 as a, ?2 as b').bind(1, 'x')
  expect(await row.first()).toEqual({ a: 1, b: 'x' })
  expect(await row.first('b')).toBe('x')
  expect(await row.raw()).toEqual([[1, 'x']])
  expect(await over.prepare('select 1 where false').first()).toBeNull()
})

it.each([
  ['a text', 'chart:closes:USD/BLUE?&', 'ñ \u0000 😀', 'ñ \u0000 😀'],
  ['bytes', 'ñ', Uint8Array.of(0x64, 0xc3, 0xad, 0x61).buffer, 'día'],
  ['an empty text', 'a b', '', ''],
])(
  'the KV keeps %s, as its own binding does, until it is deleted',
  async (_, name, value, text) => {
    expect(await kv.get(name)).toBeNull()
    await kv.put(name, value)
    expect([await kv.get(name), await ownKv.get(name)]).toEqual([text, text])
    await kv.delete(name)
    expect([await kv.get(name), await ownKv.get(name)]).toEqual([null, null])
  },
)

it('answers nobody without the token', async () => {
  expect(await ask('guessed')).toBe(404)
})
