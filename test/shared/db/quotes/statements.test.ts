/** The decisions of each statement about values alone. */
import { expect, it } from 'vitest'
import { invoicingStatements, readInvoicing } from '../../../../shared/db/quotes/invoicing.ts'
import { quotesAsOf } from '../../../../shared/db/quotes/points.ts'
import { isOtherMode, markStatement } from '../../../../shared/db/quotes/service-mode.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { env } from '../../../support/env.ts'
import { insertRow, readRows } from '../../../support/rows.ts'
import { NOW } from '../../../support/webhooks.ts'

const { DB } = env
const [blue, bank] = [findPairByKey('usd/blue')!, findPairByKey('usd/bna')!]

const asOf = async (at: number) => (await quotesAsOf(DB, [bank, blue], at)).quotes

it('the value as of an instant is the last at or before it, in the order of the pairs', async () => {
  for (const [at, sell] of [
    [NOW, 1],
    [NOW + 10, 2],
  ] as const)
    await insertRow('points', { pair: blue.id, at, buy: sell, sell, source: 'one' })
  expect(await asOf(NOW - 1)).toEqual([null, null])
  expect(await asOf(NOW + 9)).toEqual([null, { at: NOW, buy: 1, sell: 1 }])
  expect(await asOf(NOW + 10)).toEqual([null, { at: NOW + 10, buy: 2, sell: 2 }])
})

const store = async (publishedAt: number, sell: string) => {
  const rates = [{ currency: 'USD', units: 1, buy: '1', sell }]
  const table = { day: '2026-02-27', publishedAt, source: 'bank', rates } as const
  await DB.batch(invoicingStatements(DB, table, NOW))
}

const sells = async () =>
  (await readInvoicing(DB, ['USD', 'EUR'], '2026-02-28', NOW)).rates.map((rate) => rate?.sell)

it('of two tables of a day the later published one counts, in any order of arrival', async () => {
  await store(NOW, '2')
  await store(NOW - 1, '3')
  expect(await sells()).toEqual(['2', undefined])
  await store(NOW + 1, '4')
  expect(await sells()).toEqual(['4', undefined])
})

it('a batch of another mode than the database has is aborted as a whole', async () => {
  await DB.batch([markStatement(DB, 'live')])
  const value = `insert into availability values ('2026-03-02', 1, 2, 3)`
  for (const mode of ['demo', 'live'] as const) {
    const batch = DB.batch([markStatement(DB, mode), DB.prepare(value)])
    expect(await batch.catch(isOtherMode)).toEqual(mode === 'live' ? expect.any(Array) : true)
    expect(await readRows('availability')).toHaveLength(mode === 'demo' ? 0 : 1)
  }
})
