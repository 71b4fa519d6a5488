import { describe, expect, it } from 'vitest'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { rebuildCandles } from '../../../../tools/operate/import/candles.ts'
import { correctPoint } from '../../../../tools/operate/import/corrections.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { seedPoints } from '../../../support/points.ts'
import { insertRows } from '../../../../tools/prove/harness/rows.ts'
import { readRows } from '../../../support/rows.ts'

const blue = PAIRS[2]!
const YESTERDAY = '2026-03-01 17:00'
const LATEST = '2026-03-02 11:55'
const correction = { pair: blue, reason: 'a digit too many', now: art('2026-03-02 12:00') }

/** Two points, the candles of both days, and the current quote that came with the later one. */
async function seed() {
  await seedPoints('usd/blue', [YESTERDAY, 1400, 1410], [LATEST, 1410, 14_300])
  await rebuildCandles(env.DB, blue, '2026-03-01', '2026-03-02')
  await env.DB.prepare(
    insertRows('current_quotes', { buy: '?1', sell: '?2', updated_at: '?3', reference_sell: '?1' }),
  )
    .bind(numberToPrice(1410), numberToPrice(14_300), art(LATEST))
    .run()
}

const replace = (at: string, buy: number, sell: number) =>
  correctPoint(env.DB, {
    ...correction,
    at: art(at),
    value: { buy: numberToPrice(buy), sell: numberToPrice(sell) },
  })

const remove = (at: string) => correctPoint(env.DB, { ...correction, at: art(at) })

const query = async <Row>(sql: string) => (await env.DB.prepare(sql).all<Row>()).results

const current = async () =>
  (
    await query(`select sell / 10000.0 as sell, updated_at as updatedAt,
      reference_sell / 10000.0 as reference from current_quotes`)
  )[0] ?? null

const candles = () =>
  query(`select day, open / 10000.0 as open, high / 10000.0 as high, close / 10000.0 as close
    from daily_candles order by day`)

const points = async () =>
  (
    await query<{ at: number; sell: number }>(
      'select at, sell / 10000.0 as sell from points order by at',
    )
  ).map(({ at, sell }) => [at, sell])

const audits = () => readRows('corrections')

describe('a replaced point', () => {
  it('updates the current quote and the candles, and records the old value', async () => {
    await seed()
    expect(await replace(LATEST, 1410, 1430)).toBe(true)

    expect(await current()).toEqual({ sell: 1430, updatedAt: art(LATEST), reference: 1410 })
    expect(await candles()).toEqual([
      { day: '2026-03-01', open: 1410, high: 1410, close: 1410 },
      { day: '2026-03-02', open: 1410, high: 1430, close: 1430 },
    ])
    expect(await audits()).toEqual([
      {
        id: 1,
        madeAt: correction.now,
        action: 'replace',
        pair: blue.id,
        pointAt: art(LATEST),
        oldBuy: numberToPrice(1410),
        oldSell: numberToPrice(14_300),
        newBuy: numberToPrice(1410),
        newSell: numberToPrice(1430),
        reason: 'a digit too many',
      },
    ])
  })

  it('that was yesterday’s close moves today’s reference and open', async () => {
    await seed()
    await replace(YESTERDAY, 1400, 1420)
    expect(await current()).toMatchObject({ sell: 14_300, reference: 1420 })
    expect((await candles())[1]).toMatchObject({ open: 1420 })
  })

  it.each([
    ['the same value', LATEST, 14_300],
    ['no point there', '2026-03-02 11:56', 1430],
  ])('with %s is refused and leaves no trace', async (_, at, sell) => {
    await seed()
    expect(await replace(at, 1410, sell)).toBe(false)
    expect(await audits()).toEqual([])
    expect(await current()).toMatchObject({ sell: 14_300, reference: 1410 })
  })
})

it('a removed point that was the only one leaves a pair never quoted', async () => {
  await seed()
  await remove(LATEST)
  await remove(YESTERDAY)
  expect(await current()).toBeNull()
  expect(await candles()).toEqual([])
  expect(await remove(YESTERDAY)).toBe(false)
})

describe('one point per change of value', () => {
  const A = [1400, 1410] as const
  const B = [1410, 1430] as const
  const C = [1420, 1440] as const
  const T = [
    '2026-02-27 17:00',
    '2026-02-28 12:00',
    '2026-03-02 10:00',
    '2026-03-02 11:00',
  ] as const

  async function seedValues(...values: (readonly [buy: number, sell: number])[]) {
    const rows = values.map(([buy, sell], i): [string, number, number] => [T[i]!, buy, sell])
    await seedPoints('usd/blue', ...rows)
    await rebuildCandles(env.DB, blue, '2026-02-27', '2026-03-02')
    const [at, buy, sell] = rows.at(-1)!
    await env.DB.prepare('insert into current_quotes values (?, ?, ?, ?, ?, null)')
      .bind(blue.id, numberToPrice(buy), numberToPrice(sell), 'test', art(at))
      .run()
  }

  it.each([
    ['A, B without B', [A, B], 1, null, [A]],
    ['A, B, A without B', [A, B, A], 1, null, [A]],
    ['A, B, A, C without B', [A, B, A, C], 1, null, [A, null, null, C]],
    ['A, B with A for B', [A, B], 1, A, [A]],
    ['A, B, C with A for B', [A, B, C], 1, A, [A, null, C]],
    ['A, B, C with C for B', [A, B, C], 1, C, [A, C]],
    ['A, B, A with A for B', [A, B, A], 1, A, [A]],
    ['A, B, A without the first A', [A, B, A], 0, null, [null, B, A]],
    ['A, B, C, B without C', [A, B, C, B], 2, null, [A, B]],
  ] as const)('%s', async (_, values, index, value, left) => {
    await seedValues(...values)
    const done = value ? await replace(T[index], value[0], value[1]) : await remove(T[index])

    expect(done).toBe(true)
    const expected = left.flatMap((value, index) => (value ? [[art(T[index]!), value[1]]] : []))
    expect(await points()).toEqual(expected)
    const [updatedAt, sell] = expected.at(-1)!
    expect(await current()).toMatchObject({ sell, updatedAt })
    // What went with it is noted as taken away, so that nothing is lost.
    const gone = values.length - expected.length
    const kept = (await audits()).filter(({ action }) => action === 'remove')
    expect(kept).toHaveLength(gone)
    const made = await candles()
    await rebuildCandles(env.DB, blue, '2026-02-01', '2026-03-31')
    expect(made).toEqual(await candles())
  })
})
