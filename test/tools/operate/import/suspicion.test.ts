import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../../shared/argentine-time.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import { findSuspicious } from '../../../../tools/operate/import/suspicion.ts'

/** Hourly rows of `[buy, sell]`. */
const series = (...values: [number, number][]) =>
  values.map(([buy, sell], hour) => ({
    at: hour * HOUR_MS,
    buy: numberToPrice(buy),
    sell: numberToPrice(sell),
  }))

const repeated = (times: number, value: [number, number]) =>
  Array<[number, number]>(times).fill(value)

describe('a series', () => {
  it.each<[string, [number, number][], [faults: string, rows: number][]]>([
    [
      'that moves little',
      [
        [100, 102],
        [101, 103],
        [112, 114],
      ],
      [],
    ],
    [
      'with a lost digit',
      [
        [1130, 1145],
        [1130, 115],
        [1135, 1150],
      ],
      [['power of ten,inverted', 1]],
    ],
    [
      'a hundredfold for some hours',
      [[936, 939], ...repeated(3, [93650, 93950]), [936, 939]],
      [['power of ten', 3]],
    ],
    [
      'that says 1 for days',
      [[962, 992], ...repeated(200, [962, 1]), [962, 992]],
      [['0 or 1,inverted', 200]],
    ],
    [
      'with a spike',
      [
        [1200, 1221],
        [1200, 1995],
        [1200, 1216],
      ],
      [['jump', 1]],
    ],
    [
      'devalued for good',
      [
        [365, 400],
        [780, 820],
        [780, 820],
        [790, 830],
      ],
      [],
    ],
    [
      'that jumps twice in one direction, as country risk did on 2019-08-12 and the day after',
      [
        [872, 872],
        [1467, 1467],
        [1741, 1741],
        [1733, 1733],
      ],
      [],
    ],
    [
      'that falls in two steps',
      [
        [1000, 1020],
        [800, 820],
        [600, 620],
        [610, 630],
      ],
      [],
    ],
    [
      'whose jump is confirmed by the next value alone',
      [
        [1000, 1020],
        [1300, 1330],
        [1310, 1340],
        [1560, 1600],
        [1570, 1610],
      ],
      [],
    ],
    [
      'that says a wrong value twice and comes back',
      [
        [1200, 1221],
        [1200, 1995],
        [1200, 1995],
        [1200, 1216],
      ],
      [['jump', 2]],
    ],
    [
      'that inverts',
      [
        [1148, 1150],
        [1148, 1118],
        [1149, 1151],
      ],
      [['inverted', 1]],
    ],
    ['that begins', [[1148, 1150]], []],
  ])('%s', (_, values, expected) => {
    const rows = series(...values)
    const findings = findSuspicious(rows)
    expect(findings.map(({ faults, rows }) => [faults.join(), rows])).toEqual(expected)
  })

  it('has no baseline after a week of silence', () => {
    const rows = series([100, 100], [150, 150], [90, 90])
    rows[1]!.at = rows[0]!.at + 8 * 24 * HOUR_MS
    rows[2]!.at = rows[1]!.at + 8 * 24 * HOUR_MS
    expect(findSuspicious(rows)).toEqual([])
  })

  it('says from when to when', () => {
    const rows = series([1130, 1145], [1130, 115], [1130, 115], [1135, 1150])
    expect(findSuspicious(rows)).toMatchObject([
      { row: rows[1], before: rows[0], until: rows[3]!.at },
    ])
  })
})
