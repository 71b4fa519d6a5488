import { describe, expect, it } from 'vitest'
import { findPair } from '../../../shared/market/catalog.ts'
import { changePayload, repeatPayload } from '../../../shared/webhooks/payload.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
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

it('of a sync or a test repeats the value in effect', () => {
  const change = changePayload(blue, { current, previous: current, madeAt })
  expect(JSON.parse(change)).toMatchObject({ prevBuy: 1445.7, prevSell: 1465.25, changePct: 0 })
  expect(repeatPayload('sync', blue, current, madeAt)).toBe(change)
  expect(repeatPayload('manual', blue, current, madeAt)).toBe(
    change.replace('rate.updated', 'manual.trigger').replace(/}$/, ',"isManual":true}'),
  )
})
