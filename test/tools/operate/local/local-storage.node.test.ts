import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScratchStorage, type Storage } from '../../../../tools/operate/admin/open-local.ts'

let storage: Storage
beforeAll(async () => {
  storage = await openScratchStorage()
  await storage.db.prepare('create table t (id integer primary key, value any) strict').run()
})
afterAll(() => storage[Symbol.asyncDispose]())

it('keeps every kind of value, and reads one row, one column of it, or none', async () => {
  const { db } = storage
  for (const value of ['ñ \u0000 "\'? 😀', Number.MAX_SAFE_INTEGER, 0.1, null]) {
    const insert = db.prepare('insert into t (value) values (?1) returning value').bind(value)
    expect(await insert.first('value')).toBe(value)
  }
  const row = db.prepare('select ?1 as a, ?2 as b').bind(1, 'x')
  expect([await row.first(), await row.raw()]).toEqual([{ a: 1, b: 'x' }, [[1, 'x']]])
  expect(await db.prepare('select 1 where false').first()).toBeNull()
})

it('runs a batch whole or not at all, and says what failed', async () => {
  const { db } = storage
  const count = () => db.prepare('select count(*) as n from t').first('n')
  const insert = (id: number) => db.prepare('insert into t (id) values (?)').bind(id)
  const before = await count()

  await expect(db.batch([insert(901), insert(901)])).rejects.toThrow(
    /UNIQUE constraint failed: t\.id/,
  )
  expect(await count()).toBe(before)
  const results = await db.batch([insert(901), insert(902)])
  expect(results.map(({ meta }) => meta.last_row_id)).toEqual([901, 902])
  expect(await db.batch([])).toEqual([])
})
