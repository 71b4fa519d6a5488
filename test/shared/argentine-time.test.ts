import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  argentineDay,
  dayEnd,
  dayStart,
  formatArgentine,
  formatUtc,
  startOfDay,
} from '../../shared/argentine-time.ts'
import { art } from '../support/instant.ts'

/** Any instant from 2002 to 2100. */
const instants = fc.integer({ min: Date.UTC(2002, 0, 1), max: Date.UTC(2100, 0, 1) })

it.each([
  ['2026-03-02 23:59:59.999', '2026-03-03T02:59:59.999Z', '2026-03-02'],
  ['2026-01-01 00:00:00.000', '2026-01-01T03:00:00.000Z', '2026-01-01'],
  ['2024-02-29 12:00', '2024-02-29T15:00:00.000Z', '2024-02-29'],
])('Argentine time %s is %s, on the day %s', (wall, utc, day) => {
  expect(formatUtc(art(wall))).toBe(utc)
  expect(argentineDay(art(wall))).toBe(day)
})

it('an instant in Argentine time reads back as the same instant', () => {
  fc.assert(fc.property(instants, (instant) => Date.parse(formatArgentine(instant)) === instant))
})

it('every instant is inside its own Argentine day', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const day = argentineDay(instant)
      expect(dayStart(day)).toBe(startOfDay(instant))
      expect(instant).toBeGreaterThanOrEqual(dayStart(day))
      expect(instant).toBeLessThanOrEqual(dayEnd(day))
    }),
  )
})
