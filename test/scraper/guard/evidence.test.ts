/** What the operator sees: the points of each kind, and what was learned about each source. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { explain } from '../../../tools/operate/admin/guard.ts'
import { BLUE, type PairState, market, play, same, type Story, times } from './pair-state.ts'

const HOUR = 12
const DAY = 288
const JUMP: [number, number] = [1350, 1374]
/** A second source that keeps changing, by a tenth. */
const ALIVE = times(13, (turn) => [1, { first: JUMP, second: [1125, 1145 + (turn % 2) / 10] }])

const opinionOf = ({ memory, current, market, now }: PairState, name: string) => {
  const pair = findPairByKey('USD/BLUE')!
  const opinions = explain({ pair, memory, current, market, override: null, now })
  return opinions.find((one) => one.name === name)!
}

const basisAfter = (name: string, ...story: Story) => opinionOf(play(story), name).basis?.sell

describe('the evidence for a reading', () => {
  it.each<[what: string, story: Story, expected: string]>([
    [
      'a day’s patience',
      [[DAY, { first: [11_250, 11_450] }]],
      'sell +900.0 %: −6.1 · unchanged for 1435 min: +8.5 → +2.4',
    ],
    [
      'an hour’s silence of a live witness',
      [[60, same(BLUE)], ...ALIVE],
      'sell +20.0 %: +2.8 · second at 1145 after 60 min: −6.6 · unchanged for 60 min: +2.4 · spread +1.8 %, usual +1.8 %: +0.9 → −0.5',
    ],
    [
      'an hour’s silence of one that may have stopped',
      [
        [60, same(BLUE)],
        [13, { first: JUMP, second: BLUE }],
      ],
      'sell +20.0 %: +2.8 · second at 1145 after 60 min: −6.3 · unchanged for 60 min: +2.4 · spread +1.8 %, usual +1.8 %: +0.9 → −0.2',
    ],
    [
      'an hour’s silence of another definition',
      [
        [60, { first: BLUE, near: [1130] }],
        [13, { first: JUMP, near: [1130] }],
      ],
      'sell +20.0 %: +2.8 · near at 1130 after 60 min: −3.0 · unchanged for 60 min: +2.4 · spread +1.8 %, usual +1.8 %: +0.9 → +3.1',
    ],
    [
      'a witness that is wrong differently',
      [
        [60, { first: BLUE, second: [1400, 1430] }],
        [1, { first: JUMP, second: [1430, 1460] }],
      ],
      'sell −4.9 %: +4.1 · second at 1460 after 0 min: −1.0 · unchanged for 0 min: +0.0 · spread +1.8 %, usual +1.8 %: +0.9 → +4.0',
    ],
    [
      'relatives that stayed',
      [
        market({ 'USD/BOLSA': 1145, 'USD/CRIPTO': 1145 }),
        [60, { first: BLUE }],
        [13, { first: JUMP }],
      ],
      'sell +20.0 %: +2.9 · relatives at +0.0 %: −6.0 · unchanged for 60 min: +2.4 · spread +1.8 %, usual +1.8 %: +0.9 → +0.1',
    ],
    [
      'a side mistyped',
      [
        [60, { first: BLUE }],
        [1, { first: [1125, 1260] }],
      ],
      'sell +10.0 %: +2.7 · unchanged for 0 min: +0.0 · spread +11.3 %, usual +1.8 %: −6.0 → −3.3',
    ],
    [
      'sides that are no quote',
      [
        [60, { first: BLUE }],
        [1, { first: [2000, 1145] }],
      ],
      'buy +77.8 %: −3.8 · unchanged for 0 min: +0.0 · spread −55.8 %, usual +1.8 %: −14.0 · absurd spread: −120.0 → −137.8',
    ],
  ])('%s', (_, story, expected) => {
    const state = play(story)
    expect(opinionOf(state, 'first').evidence.split(' of 6: ')[0]).toBe(expected)
  })
})

describe('the basis of a source', () => {
  it('is never learned beyond the largest offset of its pair', () => {
    expect(basisAfter('second', [DAY, { first: BLUE, second: [1165, 1190] }])).toBeFalsy()
  })

  it('is not learned within an hour after a hold', () => {
    const hold: Story = [[2, { first: [1250, 1270], second: BLUE }]]
    const near: Story = [[HOUR - 1, { first: BLUE, second: [1128, 1148] }]]
    // The second source is active, so the offset of the first one would be learned.
    expect(basisAfter('first', [DAY, same(BLUE)], ...hold, ...near)).toBe(0)
  })

  it('and the spread move by at most 0.05 % in an hour of a fault', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.98, max: 1.02, noNaN: true }), fc.boolean(), (factor, one) => {
        const fault: [number, number] = [one ? 1125 : 1125 * factor, 1145 * factor]
        const state = play([[DAY, same(BLUE)]])
        const before = opinionOf(state, 'second')
        state.cycles(HOUR, { first: BLUE, second: fault })
        const { basis, spread } = opinionOf(state, 'second')
        expect(Math.abs(basis!.sell - before.basis!.sell)).toBeLessThan(0.0005)
        expect(Math.abs(spread - before.spread)).toBeLessThan(0.0005)
      }),
      { numRuns: 12 },
    )
  })
})

it('the usual interval of a source changes by only a tenth in a quiet day', () => {
  const state = play(
    times(600, (cycle) => {
      const sell = 1145 + (cycle % 100 > 80 ? 0 : Math.floor(cycle / 12))
      return [1, { first: [sell - 20, sell] }]
    }),
  )
  expect(opinionOf(state, 'first').interval).toBeGreaterThan(45)
  expect(opinionOf(state, 'first').interval).toBeLessThan(100)
})
