import { describe, expect, it } from 'vitest'
import { ShardDay } from '../../../../tools/prove/scale/shard-day.ts'
import { asItIs, type Design, sharded } from '../../../../tools/prove/scale/design.ts'
import {
  askedShare,
  factors,
  firstPassed,
  LIMITS,
  scaled,
} from '../../../../tools/prove/scale/limits.ts'
import {
  ATTEMPT_MS,
  HINTS_PER_SECOND,
  MADE_MS,
  PRUNED_A_MINUTE,
  sentPerSecond,
  waitBehindRuns,
} from '../../../../tools/prove/scale/parts.ts'
import { type Load, play } from '../../../../tools/prove/scale/play.ts'

const LOAD: Load = { seed: 1, webhooks: 1_000_000, deliveries: 10_000_000, reads: 1000 }

/** The shard after one change of so many rows at the first second of the day. */
function afterBurst(design: Design, rows: number, seconds = 2000): ShardDay {
  const shard = new ShardDay(design)
  shard.change(0, rows)
  for (let second = 0; second < seconds; second += 1) shard.play(second, 0)
  return shard
}

describe('one change in one database', () => {
  it.each([10_000, 100_000, 300_000])(
    'reaches %i webhooks when the thread has had time for them',
    (rows) => {
      // The first hints go out with the last row of the batch; attempts are slower than hints.
      const rate = Math.min(sentPerSecond(250), 1000 / ATTEMPT_MS, HINTS_PER_SECOND)
      const pruningMs = (PRUNED_A_MINUTE / 60) * 0.05
      const expected = ((rows * MADE_MS) / 1000 + rows / rate) * (1000 / (1000 - pruningMs))
      const { lastArrival, open } = afterBurst(asItIs(), rows)
      expect(lastArrival).toBeGreaterThan(expected * 0.98)
      // Second attempts, one in twenty, take their part of the thread.
      expect(lastArrival).toBeLessThan(expected * 1.06 + 3)
      expect(open).toBeLessThan(0.01)
    },
  )

  it('keeps a query waiting as long as its batch takes', () => {
    const { wait } = afterBurst(asItIs(), 200_000)
    expect(wait).toBeCloseTo(200_000 * MADE_MS, 6)
  })

  it('keeps it no longer than a slice and the consumers take, in slices', () => {
    const design = sharded(1)
    const { wait } = afterBurst(design, 200_000)
    expect(wait).toBeCloseTo(design.slice! * MADE_MS + waitBehindRuns(design.consumers), 6)
  })

  it('makes second attempts of one in twenty-one, thirty seconds later', () => {
    const shard = afterBurst(sharded(1), 2100, 30)
    expect(shard.open).toBeCloseTo(100, 6)
    for (let second = 30; second < 40; second += 1) shard.play(second, 0)
    expect(shard.open).toBeLessThan(6)
  })

  it('has rows to delete for as long as the sweeper takes for them', () => {
    const minutes = 10
    const { unpruned } = afterBurst(asItIs(), 30_000, minutes * 60)
    expect(unpruned).toBeCloseTo(30_000 - minutes * PRUNED_A_MINUTE, 3)
  })
})

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
  it('is the same for the same seed', () => {
    const { peaksAt: _, ...one } = play(LOAD, asItIs())
    const { peaksAt: __, ...other } = play(LOAD, asItIs())
    expect(one).toEqual(other)
  })

  it('has half the last arrival and half the work in twice the databases', () => {
    const [two, four] = [play(LOAD, sharded(2)), play(LOAD, sharded(4))]
    expect(four.peaks.lastArrival).toBeCloseTo(two.peaks.lastArrival / 2, -0.5)
    expect(four.busyShare).toBeCloseTo(two.busyShare / 2, 4)
    expect(four.made).toBe(two.made)
  })

  it.each([
    ['as the service is', asItIs()],
    ['in eight databases', sharded(8)],
  ])('takes of the thread what its deliveries and reads ask, %s', (_, design) => {
    // A tenth of the load, so that rows are deleted on the day on which they are due.
    const played = play(scaled(LOAD, 0.1), design)
    expect(played.busyShare / askedShare(played)).toBeCloseTo(1, 1)
  })

  it('knows the worst until each second', () => {
    const { peaks, peaksAt } = play(LOAD, asItIs())
    expect(peaksAt(86_399)).toEqual(peaks)
    expect(peaksAt(0).open).toBeLessThan(peaks.open)
  })
})

describe.each([
  ['as the service is', asItIs()],
  ['in eight databases', sharded(8)],
])('what gives first, %s', (_, design) => {
  const all = factors(play(LOAD, design))

  it.each(LIMITS.map((limit, index) => ({ limit, factor: all[index]! })))(
    '$limit.what: at $factor of the load, and not below it',
    ({ limit, factor }) => {
      const usedAt = (of: number) => {
        const played = play(scaled(LOAD, of), design)
        return limit.used(played.peaks, played)
      }
      if (factor === null) return expect(usedAt(4)).toBeLessThanOrEqual(1)
      expect(usedAt(factor * 1.03)).toBeGreaterThan(1)
      expect(usedAt(factor * 0.97)).toBeLessThanOrEqual(1)
    },
  )
})

it('a limit is passed at the first change that is too large', () => {
  const played = play(scaled(LOAD, 2), asItIs())
  const batch = LIMITS.find(({ what }) => what.startsWith('the batch'))!
  const second = firstPassed(batch, played)!
  expect(second % 300).toBe(0)
  expect(batch.used(played.peaksAt(second), played)).toBeGreaterThan(1)
  expect(batch.used(played.peaksAt(second - 1), played)).toBeLessThanOrEqual(1)
})
