import { assert, nat, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { settleSince } from '../../../workers/scraper/publish/availability.ts'
import { art } from '../../support/instant.ts'

describe('the time since the last cycle', () => {
  it.each([
    ['has that cycle’s state', 'degraded', '02 12:00', '02 12:05', { '02': [0, 5, 0] }],
    ['is down once the board was too old', 'ok', '02 12:00', '02 13:00', { '02': [15, 0, 45] }],
    ['ends at midnight', 'ok', '02 23:58', '03 00:03', { '02': [2, 0, 0], '03': [3, 0, 0] }],
    ['is nothing when the clock went back', 'ok', '02 12:00', '02 11:00', {}],
  ] as const)('%s', (_, status, from, until, expected) => {
    const days = Object.entries<readonly number[]>(expected).map(([day, minutes]) => {
      const [ok, degraded, down] = minutes.map((minute) => minute * MINUTE_MS)
      return { day: `2026-03-${day}`, ok, degraded, down }
    })
    const last = { at: art(`2026-03-${from}`), status }
    expect(settleSince(last, art(`2026-03-${until}`))).toEqual(days)
  })

  it('is counted in full and once, at any instants, and never more than 90 days', () => {
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
