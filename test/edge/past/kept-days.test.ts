import { expect, it } from 'vitest'
import { addDays, type Day } from '../../../shared/argentine-time.ts'
import type { ClosedDay } from '../../../shared/board/closed-day.ts'
import { KeptDays, MOST_POINTS } from '../../../workers/edge/past/kept-days.ts'

const aDay = (day: Day, points: number, revision = 1): ClosedDay => ({
  schema: 1,
  day,
  revision,
  points: { 1: Array.from({ length: points - 1 }, (_, at) => [at, 1, 1] as const) },
})
const day = (number: number) => addDays('2026-01-01', number)

it('keeps what was used last, up to so many points', () => {
  const days = new KeptDays()
  for (let i = 0; i < 10; i++) days.keep(aDay(day(i), MOST_POINTS / 10))
  expect(days.get(day(0))).not.toBeNull()

  days.keep(aDay(day(10), MOST_POINTS / 10))
  expect(days.get(day(0))).not.toBeNull()
  expect(days.get(day(1))).toBeNull()
  expect(days.get(day(2))).not.toBeNull()
})

it('keeps nothing beyond the limit, and goes on afterwards', () => {
  const days = new KeptDays()
  days.keep(aDay(day(0), MOST_POINTS + 1))
  expect(days.get(day(0))).toBeNull()
  days.keep(aDay(day(1), MOST_POINTS))
  expect(days.get(day(1))).not.toBeNull()
})

it('keeps a day once, in its latest revision', () => {
  const days = new KeptDays()
  days.keep(aDay(day(0), MOST_POINTS / 2, 2))
  days.keep(aDay(day(0), MOST_POINTS / 2, 1))
  expect(days.get(day(0))).toMatchObject({ revision: 2 })
  days.keep(aDay(day(0), MOST_POINTS / 2, 3))
  days.keep(aDay(day(1), MOST_POINTS / 2, 1))
  expect(days.get(day(0))).toMatchObject({ revision: 3 })
  expect(days.get(day(1))).toMatchObject({ revision: 1 })
})
