import { describe, expect, it } from 'vitest'
import { dayEnd, dayStart } from '../../../shared/argentine-time.ts'
import { type ClosedDay, parseClosedDay, quotesOfDay } from '../../../shared/board/closed-day.ts'
import { findPairByKey, PAIRS } from '../../../shared/market/catalog.ts'

const DAY = '2026-02-27'
const [START, END] = [dayStart(DAY), dayEnd(DAY)]
const BLUE = findPairByKey('usd/blue')!
const none = Object.fromEntries(PAIRS.map(({ id }) => [id, []]))

const aDay = (points: unknown, changes: object = {}) =>
  JSON.stringify({
    schema: 1,
    day: DAY,
    revision: 5,
    points: { ...none, [BLUE.id]: points },
    ...changes,
  })

describe('a document', () => {
  it.each([
    ['nothing', []],
    ['the value in effect before the day', [[START - 1e9, 1, 2]]],
    [
      'points at both ends',
      [
        [START, 1, 2],
        [END, 3, 4],
      ],
    ],
  ])('of %s is whole', (_, points) => {
    expect(parseClosedDay(aDay(points), DAY)?.points[BLUE.id]).toEqual(points)
  })

  it.each<[string, string | null]>([
    ['none', null],
    ['no JSON', '{"schema":1'],
    ['null', 'null'],
    ['a list', '[]'],
    ['of a newer schema', aDay([], { schema: 2 })],
    ['of another day', aDay([], { day: '2026-02-26' })],
    ['without a revision', aDay([], { revision: undefined })],
    ['of a revision that is no whole number', aDay([], { revision: 1.5 })],
    ['without points', aDay([], { points: null })],
    ['without a pair of the catalogue', aDay([], { points: { [BLUE.id]: [] } })],
    ['with a pair that has no list', aDay({})],
    ['with a point that is no list', aDay([5])],
    ['with a point of two', aDay([[START, 1]])],
    ['with a price that is no number', aDay([[START, 1, '2']])],
    ['with a price that is no whole number', aDay([[START, 1, 2.5]])],
    ['with a point after the day', aDay([[END + 1, 1, 2]])],
    [
      'with two points before the day',
      aDay([
        [START - 2, 1, 2],
        [START - 1, 1, 2],
      ]),
    ],
    [
      'with points out of order',
      aDay([
        [START + 2, 1, 2],
        [START + 1, 1, 2],
      ]),
    ],
    [
      'with two points of one instant',
      aDay([
        [START, 1, 2],
        [START, 1, 3],
      ]),
    ],
  ])('is refused: %s', (_, text) => {
    expect(parseClosedDay(text, DAY)).toBeNull()
  })
})

it.each([
  [START, { at: START - 5, buy: 1, sell: 2 }],
  [START + 9, { at: START - 5, buy: 1, sell: 2 }],
  [START + 10, { at: START + 10, buy: 3, sell: 4 }],
  [END, { at: END, buy: 5, sell: 6 }],
])('the value in effect at %i is the last one at or before it', (instant, quote) => {
  const text = aDay([
    [START - 5, 1, 2],
    [START + 10, 3, 4],
    [END, 5, 6],
  ])
  const day = parseClosedDay(text, DAY) as ClosedDay
  expect(quotesOfDay(day, [BLUE, PAIRS[0]!], instant)).toEqual([quote, null])
})
