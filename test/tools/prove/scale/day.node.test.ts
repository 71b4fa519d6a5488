import { describe, expect, it } from 'vitest'
import { type Cycle, followersOf, playMarket } from '../../../../tools/prove/scale/day.ts'

const LOAD = { webhooks: 1_000_000, deliveries: 10_000_000 }

const madeBy = (cycles: readonly Cycle[]) =>
  cycles.reduce((sum, { deliveries }) => sum + deliveries, 0)

const changesOf = (cycles: readonly Cycle[]) => cycles.map(({ changed }) => changed)

/** The hours of the day in which a pair changes, of fifty days. */
const hoursOf = (pair: Cycle['changed'][number]) =>
  Array.from({ length: 50 }, (_, seed) => playMarket(LOAD, seed)).flatMap((cycles) =>
    cycles.flatMap(({ changed }, cycle) =>
      changed.includes(pair) ? [(cycle / cycles.length) * 24] : [],
    ),
  )

describe('a day of changes', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(playMarket(LOAD)).toEqual(playMarket(LOAD))
    expect(playMarket(LOAD, 2)).not.toEqual(playMarket(LOAD))
  })

  it('has the same changes for ten times as many webhooks with as many deliveries each', () => {
    const tenfold = { ...LOAD, webhooks: 10 * LOAD.webhooks, deliveries: 10 * LOAD.deliveries }
    expect(changesOf(playMarket(tenfold))).toEqual(changesOf(playMarket(LOAD)))
  })

  it.each([1_000_000, 5_000_000, 10_000_000])('brings %i deliveries on average', (deliveries) => {
    const days = Array.from({ length: 100 }, (_, seed) => playMarket({ ...LOAD, deliveries }, seed))
    const made = days.map(madeBy)
    const mean = made.reduce((sum, one) => sum + one, 0) / made.length
    const variance = made.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (made.length - 1)
    // Four times the error of such a mean.
    expect(Math.abs(mean - deliveries)).toBeLessThan(4 * Math.sqrt(variance / made.length))
    expect(Math.abs(mean - deliveries)).toBeLessThan(deliveries / 10)
  })

  it('changes bonds only while they trade, and crypto at any hour', () => {
    expect(Math.min(...hoursOf('USD/BOLSA'))).toBeGreaterThanOrEqual(11)
    expect(Math.max(...hoursOf('USD/BOLSA'))).toBeLessThan(17.5)
    expect(Math.min(...hoursOf('USD/CRIPTO'))).toBeLessThan(4)
  })

  it('counts a delivery for each webhook of a pair that changed', () => {
    const followers = followersOf(LOAD.webhooks)
    for (const { changed, deliveries } of playMarket(LOAD))
      expect(deliveries).toBe(changed.reduce((sum, pair) => sum + followers.get(pair)!, 0))
  })

  it('gives every webhook a pair, and most of them a few', () => {
    const followers = [...followersOf(1_000_000).values()]
    expect(followers.length).toBe(19)
    expect(followers.reduce((sum, count) => sum + count, 0)).toBeCloseTo(1_000_000, -2)
    expect(followers.slice(0, 4).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(500_000)
  })
})
