import { assert, nat, property } from 'fast-check'
import { expect, it } from 'vitest'
import { DAY_MS, type Instant } from '../../../shared/argentine-time.ts'
import { settleSince } from '../../../workers/scraper/publish/availability.ts'
import { art } from '../../support/instant.ts'

it('the time since the last cycle is counted in full and once, and never more than 90 days', () => {
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
