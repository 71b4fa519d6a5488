import { assert, nat, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { availabilityOf, settleSince } from '../../../shared/board/availability.ts'
import { art } from '../../support/instant.ts'

const zero = { ok: 0, degraded: 0, down: 0 }

describe('the time since the last cycle', () => {
  it.each([
    [
      'has that cycle’s state',
      'degraded',
      '2026-03-02 12:00',
      '2026-03-02 12:05',
      [{ day: '2026-03-02', ...zero, degraded: 5 * MINUTE_MS }],
    ],
    [
      'is down once the board was not trusted any more',
      'ok',
      '2026-03-02 12:00',
      '2026-03-02 13:00',
      [{ day: '2026-03-02', ...zero, ok: 15 * MINUTE_MS, down: 45 * MINUTE_MS }],
    ],
    [
      'is parted at the Argentine midnight',
      'ok',
      '2026-03-02 23:58',
      '2026-03-03 00:03',
      [
        { day: '2026-03-02', ...zero, ok: 2 * MINUTE_MS },
        { day: '2026-03-03', ...zero, ok: 3 * MINUTE_MS },
      ],
    ],
    [
      'covers whole days of silence',
      'down',
      '2026-03-02 23:00',
      '2026-03-04 01:00',
      [
        { day: '2026-03-02', ...zero, down: HOUR_MS },
        { day: '2026-03-03', ...zero, down: DAY_MS },
        { day: '2026-03-04', ...zero, down: HOUR_MS },
      ],
    ],
    ['is nothing when the clock went back', 'ok', '2026-03-02 12:00', '2026-03-02 11:00', []],
  ] as const)('%s', (_, status, at, now, expected) => {
    expect(settleSince({ at: art(at), status }, art(now))).toEqual(expected)
  })

  it('is settled whole and once, whatever the instants, and never past 90 days', () => {
    const start: Instant = art('2026-03-02 00:00')
    assert(
      property(nat(90 * DAY_MS), nat(90 * DAY_MS), (from, span) => {
        const days = settleSince({ at: start + from, status: 'ok' }, start + from + span)
        expect(days.reduce((sum, day) => sum + day.ok + day.degraded + day.down, 0)).toBe(span)
        expect(days.every((day) => day.ok + day.degraded + day.down <= DAY_MS)).toBe(true)
        expect(new Set(days.map(({ day }) => day)).size).toBe(days.length)
      }),
    )
    expect(settleSince({ at: 0, status: 'ok' }, start).length).toBeLessThanOrEqual(92)
  })
})

describe('availability', () => {
  it('counts the time in which some pairs were late as available', () => {
    expect(availabilityOf([{ ok: 80, degraded: 10, down: 10 }])).toBe(0.9)
    expect(availabilityOf([])).toBeNull()
  })
})
