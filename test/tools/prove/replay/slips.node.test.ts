import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import type { Decision } from '../../../../workers/scraper/guard/guard.ts'
import { Holds } from '../../../../tools/prove/replay/simulate.ts'
import { isLeft, type Honest } from '../../../../tools/prove/replay/market.ts'
import { isSlip } from '../../../../tools/prove/replay/evaluate.ts'

type Reading = [hours: number, buy: number, sell: number]

const series = (...readings: Reading[]) =>
  readings.map(([hours, buy, sell]) => ({
    at: hours * HOUR_MS,
    buy: numberToPrice(buy),
    sell: numberToPrice(sell),
  }))

describe('a value that was held', () => {
  it.each<[what: string, readings: Reading[], expected: boolean]>([
    [
      'taken back within the hour',
      [
        [0, 990, 1000],
        [5, 990, 1040],
        [6, 991, 1003],
      ],
      true,
    ],
    [
      'taken back by its third reading',
      [
        [0, 990, 1000],
        [5, 990, 1040],
        [6, 991, 1035],
        [7, 990, 1001],
      ],
      true,
    ],
    [
      'a closing print',
      [
        [0, 990, 1000],
        [5, 950, 1000],
        [24, 987, 1000],
      ],
      true,
    ],
    [
      'taken back further',
      [
        [0, 990, 1000],
        [5, 990, 960],
        [6, 1020, 1030],
      ],
      true,
    ],
    [
      'a move that stays',
      [
        [0, 990, 1000],
        [5, 1030, 1040],
        [6, 1028, 1038],
      ],
      false,
    ],
    [
      'a move that lasted four hours',
      [
        [0, 990, 1000],
        [5, 1030, 1040],
        [6, 1028, 1038],
        [9, 990, 1000],
      ],
      false,
    ],
    [
      'a small step',
      [
        [0, 990, 1000],
        [5, 1005, 1015],
        [6, 990, 1000],
      ],
      false,
    ],
    [
      'one side copied',
      [
        [0, 980, 1000],
        [5, 1000, 1000],
        [9, 1000, 1000],
      ],
      true,
    ],
    [
      'a book that crosses',
      [
        [0, 990, 1000],
        [5, 1001, 1000],
        [6, 1001, 1000],
      ],
      true,
    ],
    [
      'the first reading',
      [
        [5, 990, 1000],
        [6, 900, 910],
      ],
      false,
    ],
  ])('%s: a slip is %s', (_, readings, expected) => {
    expect(isSlip(findPairByKey('USD/BLUE')!, series(...readings), 5 * HOUR_MS + MINUTE_MS)).toBe(
      expected,
    )
  })

  it('is one hold although its reason changes', () => {
    const holds = new Holds()
    const pair = findPairByKey('USD/BLUE')!
    const candidate = { pair, source: 'a', provenance: 'a', sameDefinition: true }
    const held = (sell: number, reason: string) =>
      ({
        publish: null,
        held: { candidate: { ...candidate, buy: sell, sell }, reason },
      }) as unknown as Decision
    holds.note(held(1040, 'leaves-relatives'), 0)
    holds.note(held(1042, 'contradicted'), 5 * MINUTE_MS)
    holds.note(held(1200, 'jump'), 10 * MINUTE_MS)
    expect(holds.all.map(({ reason, minutes }) => [reason, minutes])).toEqual([
      ['leaves-relatives', 10],
      ['jump', 0],
    ])
  })
})

describe('a value that stopped', () => {
  const honest = (second: Reading[]) =>
    ({
      usual: 0.005,
      sources: [
        { name: 'a', observations: series([0, 990, 1000], [2, 970, 980]) },
        { name: 'b', observations: series(...second) },
      ],
    }) as unknown as Honest
  const since = { faulted: 'a', from: HOUR_MS, sell: numberToPrice(1000) }

  it.each<[what: string, second: Reading[], expected: boolean]>([
    [
      'another source moved away from it',
      [
        [0, 990, 1000],
        [2, 975, 985],
      ],
      true,
    ],
    ['nobody but its own source moved', [[0, 975, 985]], false],
    [
      'another source moved by less than a usual step',
      [
        [0, 979, 989],
        [2, 976, 986],
      ],
      false,
    ],
    [
      'the readings of another one still say it',
      [
        [0, 975, 985],
        [2, 990, 1000],
      ],
      false,
    ],
  ])('where %s: it is left %s %s', (_, second, expected) => {
    expect(isLeft(honest(second), since, 3 * HOUR_MS)).toBe(expected)
  })
})
