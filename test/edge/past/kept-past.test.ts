import { expect, it } from 'vitest'
import { addDays, type Day } from '../../../shared/argentine-time.ts'
import type { ClosedDay } from '../../../shared/board/closed-day.ts'
import {
  KeptDays,
  KeptResponses,
  MOST_POINTS,
  MOST_RESPONSE_BYTES,
} from '../../../workers/edge/past/kept-past.ts'

const aDay = (day: Day, points: number, revision = 1): ClosedDay => ({
  schema: 1,
  day,
  revision,
  points: { 1: Array.from({ length: points - 1 }, (_, at) => [at, 1, 1] as const) },
})
const keep = (days: KeptDays, document: ClosedDay) => days.keep(document.day, document)
const day = (number: number) => addDays('2026-01-01', number)

it('keeps what was used last, up to so many points', () => {
  const days = new KeptDays()
  for (let i = 0; i < 10; i++) keep(days, aDay(day(i), MOST_POINTS / 10))
  expect(days.get(day(0))).toBeDefined()

  keep(days, aDay(day(10), MOST_POINTS / 10))
  expect(days.get(day(0))).toBeDefined()
  expect(days.get(day(1))).toBeUndefined()
  expect(days.get(day(2))).toBeDefined()
})

it('keeps nothing beyond the limit, and goes on afterwards', () => {
  const days = new KeptDays()
  keep(days, aDay(day(0), MOST_POINTS + 1))
  expect(days.get(day(0))).toBeUndefined()
  keep(days, aDay(day(1), MOST_POINTS))
  expect(days.get(day(1))).toBeDefined()
})

it('keeps a day once, in its latest revision', () => {
  const days = new KeptDays()
  keep(days, aDay(day(0), MOST_POINTS / 2, 2))
  keep(days, aDay(day(0), MOST_POINTS / 2, 1))
  expect(days.get(day(0))).toMatchObject({ revision: 2 })
  keep(days, aDay(day(0), MOST_POINTS / 2, 3))
  keep(days, aDay(day(1), MOST_POINTS / 2, 1))
  expect(days.get(day(0))).toMatchObject({ revision: 3 })
  expect(days.get(day(1))).toMatchObject({ revision: 1 })
})

it('keeps whole answers up to so many bytes, those that were asked for last', () => {
  const responses = new KeptResponses()
  const answer = {
    body: 'x'.repeat(300),
    etag: '"x"',
    headers: {},
    unchangedHeaders: {},
    revision: 1,
  }
  for (let i = 0; i < 10_000; i++) {
    responses.keep(`https://a.test/${i}`, answer)
    responses.get('https://a.test/0')
  }
  expect(responses.weight).toBeLessThanOrEqual(MOST_RESPONSE_BYTES)
  expect(responses.weight).toBeGreaterThan(MOST_RESPONSE_BYTES - 2_000)
  expect(responses.get('https://a.test/0')).toBeDefined()
  expect(responses.get('https://a.test/1')).toBeUndefined()
  expect(responses.get('https://a.test/9999')).toBeDefined()
})
