import { assert, asyncProperty, constantFrom, integer, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPair, PAIRS } from '../../../shared/market/catalog.ts'
import { repeatPayloadSql } from '../../../shared/db/deliveries/payload-sql.ts'
import { changePayload } from '../../../workers/scraper/db/payload.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'

const blue = findPair('usd', 'blue')!
const current = {
  buy: numberToPrice(1445.7),
  sell: numberToPrice(1465.25),
  updatedAt: art('2026-03-02 12:00'),
}
const madeAt = art('2026-03-02 12:00:01.005')

describe('the payload', () => {
  it('of a change tells the values before and after, exactly and in the contract’s order', () => {
    const previous = { buy: numberToPrice(1431), sell: numberToPrice(1450) }

    expect(changePayload(blue, { current, previous, madeAt })).toBe(
      '{"event":"rate.updated","currency":"USD","origin":"BLUE","buy":1445.7,"sell":1465.25,' +
        '"prevBuy":1431,"prevSell":1450,"changePct":1.05,"valueType":"money",' +
        '"updatedAt":"2026-03-02T15:00:00.000Z","timestamp":"2026-03-02T15:00:01.005Z"}',
    )
  })

  it('measures 0 from a previous value of 0', () => {
    const payload = changePayload(blue, {
      current,
      previous: { buy: 0, sell: 0 },
      madeAt,
    })
    expect(JSON.parse(payload).changePct).toBe(0)
  })
})

it('made in SQL has the same bytes, for syncs and tests of any pair and value', async () => {
  const instants = integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2099, 11, 31) })
  const values = record({
    pair: constantFrom(...PAIRS),
    kind: constantFrom('sync' as const, 'manual' as const),
    buy: integer({ min: 0, max: 10 ** 12 }),
    sell: integer({ min: 0, max: 10 ** 12 }),
    updatedAt: instants,
    madeAt: instants,
  })

  await assert(
    asyncProperty(values, async ({ pair, kind, buy, sell, updatedAt, madeAt }) => {
      const row = await env.DB.prepare(
        `select ${repeatPayloadSql(kind, '?5')} as body
         from (select ?1 as pair, ?2 as buy, ?3 as sell, ?4 as updated_at) q`,
      )
        .bind(pair.id, buy, sell, updatedAt, madeAt)
        .first<{ body: string }>()

      const value = { buy, sell, updatedAt }
      const change = changePayload(pair, { current: value, previous: value, madeAt })
      const test = { ...JSON.parse(change), event: 'manual.trigger', isManual: true }
      expect(row?.body).toBe(kind === 'manual' ? JSON.stringify(test) : change)
    }),
    { numRuns: 60 },
  )
})
