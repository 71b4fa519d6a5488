import { describe, expect, it } from 'vitest'
import { asItIs, sharded } from '../../../../tools/prove/scale/design.ts'
import { factorOf, LIMITS, scaled } from '../../../../tools/prove/scale/limits.ts'
import { MADE_MS, waitBehindRuns } from '../../../../tools/prove/scale/parts.ts'
import { type Load, play } from '../../../../tools/prove/scale/play.ts'

const LOAD: Load = { webhooks: 1_000_000, deliveries: 10_000_000, reads: 1000 }

describe('runs that ask in turn', () => {
  it('do not wait for each other until the thread is full', () => {
    expect(waitBehindRuns(1)).toBe(0)
    expect(waitBehindRuns(50)).toBe(0)
  })

  it('then wait for one more round trip with each more of them', () => {
    const roundTrip = waitBehindRuns(201) - waitBehindRuns(200)
    expect(waitBehindRuns(250) - waitBehindRuns(200)).toBeCloseTo(50 * roundTrip, 6)
  })
})

describe('a day', () => {
  it('keeps a query waiting as long as its largest batch takes', () => {
    const { peaks } = play(LOAD, asItIs())
    expect(peaks.wait).toBeCloseTo(peaks.change * MADE_MS, 6)
  })

  it('keeps it no longer than a slice and the consumers take, in slices', () => {
    const design = sharded(1)
    const { wait } = play(LOAD, design).peaks
    expect(wait).toBeCloseTo(design.slice! * MADE_MS + waitBehindRuns(design.consumers), 6)
  })

  it('has half the last arrival in twice the databases', () => {
    const [two, four] = [play(LOAD, sharded(2)), play(LOAD, sharded(4))]
    expect(four.peaks.lastArrival).toBeCloseTo(two.peaks.lastArrival / 2, 6)
    expect(four.made).toBe(two.made)
  })

  it('leaves a cycle what the one before could not send', () => {
    const { peaks } = play(scaled(LOAD, 4), asItIs())
    expect(peaks.open).toBeGreaterThan(peaks.change)
  })
})

describe.each([
  ['as the service is', asItIs()],
  ['in eight databases', sharded(8)],
])('what gives first, %s', (_, design) => {
  const played = play(LOAD, design)

  it.each(LIMITS.map((limit) => ({ limit, factor: factorOf(limit, played) })))(
    '$limit.what: at $factor of the load, and not below it',
    ({ limit, factor }) => {
      const usedAt = (of: number) => limit.used(play(scaled(LOAD, of), design))
      if (factor === null) return expect(usedAt(4)).toBeLessThanOrEqual(1)
      expect(usedAt(factor * 1.03)).toBeGreaterThan(1)
      expect(usedAt(factor * 0.97)).toBeLessThanOrEqual(1)
    },
  )
})
