import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  aDelivery,
  aRead,
  billOf,
  freePlan,
  NO_LOAD,
  priceOf,
  usageOf,
} from '../../../tools/prove/cost/month.ts'
import { COST_PAGE, COST_TABLES } from '../../../tools/prove/cost/tables.ts'
import { withTables } from '../../../tools/prove/harness/page.ts'

const MILLION = 1_000_000

describe('a month on Cloudflare', () => {
  it('is the plan alone while nobody asks: the service itself is included', () => {
    expect(priceOf(NO_LOAD)).toBe(5)
    expect(usageOf(NO_LOAD).requests).toBe((288 + 1440 + 144) * 30)
    expect(usageOf(NO_LOAD).rowsWritten).toBeLessThan(MILLION)
  })

  it('bills what goes beyond, by the unit', () => {
    const usage = usageOf({ ...NO_LOAD, reads: 100 * MILLION })
    // 100,056,160 requests, 10 million of them included, 0.30 USD a million.
    expect(billOf(usage).requests).toBeCloseTo(90.05616 * 0.3, 6)
    expect(usage.queueOperations).toBe(0)
  })

  it('bills three queue operations and a row for each write of a delivery', () => {
    const { queueOperations, rowsWritten } = usageOf({ ...NO_LOAD, deliveries: 10 * MILLION })
    expect(queueOperations).toBeCloseTo(3 * 1.05 * 10 * MILLION, 0)
    const own = usageOf(NO_LOAD).rowsWritten
    expect((rowsWritten - own) / (10 * MILLION)).toBeCloseTo(4.03 + 3 * 1.05 + 3 * 0.05, 6)
  })

  it('never costs less for more', () => {
    let last = 0
    for (const scale of [0, 0.1, 1, 10, 100]) {
      const many = scale * MILLION
      const price = priceOf({ reads: many, deliveries: many, privateReads: many, streams: scale })
      expect(price).toBeGreaterThanOrEqual(last)
      last = price
    }
  })

  it('ends on the free plan by queue operations for deliveries, by requests for reads', () => {
    expect(freePlan(aDelivery())[0]).toEqual({ item: 'queueOperations', aDay: 3174 })
    expect(freePlan(aRead())[0]!.item).toBe('requests')
  })
})

it('docs/cost.md has the tables as they are computed (npm run cost -- --write)', () => {
  const page = readFileSync(COST_PAGE, 'utf8')
  expect(page).toContain('| 100 million reads')
  expect(withTables(page, COST_TABLES)).toBe(page)
})
