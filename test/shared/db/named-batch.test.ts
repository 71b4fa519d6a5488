import { expect, test } from 'vitest'
import { namedBatch, type Statement } from '../../../shared/db/named-batch.ts'
import { env } from '../../support/env.ts'
import { countRows } from '../../support/rows.ts'

const { DB } = env
const number = (value: number): Statement<{ value: number }> =>
  DB.prepare('select ?1 as value').bind(value)
const insert = (day: string): Statement<{ day: string }> =>
  DB.prepare('insert into availability values (?1, 1, 2, 3) returning day').bind(day)

test('each result has the name of its statement', async () => {
  const { first, none, inserted, last } = await namedBatch(DB, {
    first: number(1),
    none: [],
    inserted: ['2026-01-01', '2026-01-02'].map(insert),
    last: number(2),
  })
  expect(first.results[0]!.value).toBe(1)
  expect(none).toEqual([])
  expect(inserted.flatMap(({ results }) => results.map(({ day }) => day))).toEqual([
    '2026-01-01',
    '2026-01-02',
  ])
  expect(last.results).toEqual([{ value: 2 }])
})

test('all statements are one transaction', async () => {
  const twice = { one: insert('2026-01-03'), two: insert('2026-01-03') }
  await expect(namedBatch(DB, twice)).rejects.toThrow('UNIQUE')
  expect(await countRows('availability', { day: '2026-01-03' })).toBe(0)
})
