import { expect, it } from 'vitest'
import { shareBatches } from '../../workers/delivery/shared-batches.ts'
import { countCost } from '../support/counted-db.ts'
import { env } from '../support/env.ts'

const reserve = (db: D1Database, id: number) =>
  db.prepare('insert into capacity (id, outstanding) values (?1, 7)').bind(id)
const read = (db: D1Database) => db.prepare('select id from capacity order by id')

it('calls of one turn are one round trip, and each gets its own results', async () => {
  const { db, cost } = countCost(env.DB)
  const shared = shareBatches(db)
  const [first, second] = await Promise.all([
    shared.batch([reserve(shared, 1), read(shared)]),
    shared.batch([reserve(shared, 2), read(shared)]),
  ])

  expect(cost.roundTrips).toBe(1)
  expect(first.map(({ results }) => results)).toEqual([[], [{ id: 1 }]])
  expect(second.map(({ results }) => results)).toEqual([[], [{ id: 1 }, { id: 2 }]])
})

it('a call that fails takes no other with it', async () => {
  const shared = shareBatches(env.DB)
  const settled = await Promise.allSettled([
    shared.batch([reserve(shared, 1)]),
    shared.batch([reserve(shared, 2), reserve(shared, 2)]),
    shared.batch([reserve(shared, 3)]),
  ])

  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await read(env.DB).all()).results).toEqual([{ id: 1 }, { id: 3 }])
  await expect(shared.batch([read(shared)])).resolves.toHaveLength(1)
})
