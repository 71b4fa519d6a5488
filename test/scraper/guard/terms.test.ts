import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { ballotOf } from '../../../workers/scraper/guard/ballot.ts'
import { MILLION, newSource } from '../../../workers/scraper/guard/memory.ts'
import type { Subject, Witness } from '../../../workers/scraper/guard/subject.ts'
import {
  form,
  persistence,
  relatives,
  spread,
  step,
  type Term,
  witness,
} from '../../../workers/scraper/guard/terms.ts'
import { usualOf } from '../../../workers/scraper/guard/usual.ts'
import { BAD_FORM, MOST_PATIENCE, THRESHOLD } from '../../../workers/scraper/guard/weights.ts'

const BLUE = findPairByKey('USD/BLUE')!
const BASELINE = { buy: 11_000_000, sell: 11_200_000 }

/** A reading that went `moved` from the value in effect, both sides. */
function subjectOf(moved: number, more: Partial<Subject> = {}): Subject {
  const at = (price: number) => Math.round(price * Math.exp(moved))
  const reading = { buy: at(BASELINE.buy), sell: at(BASELINE.sell) }
  const said = { name: 'a', provenance: 'a', sameDefinition: true, onlySell: false, ...reading }
  const plain = newSource(said, 0)
  const spread = Math.round(Math.log(BASELINE.sell / BASELINE.buy) * MILLION)
  return {
    pair: BLUE,
    usual: usualOf(BLUE),
    source: {
      ...plain,
      before: { ...BASELINE, since: 0, doubted: false },
      habits: { ...plain.habits, spread, spreadNoise: 500, spreads: 288 },
    },
    baseline: BASELINE,
    moved: { buy: moved, sell: moved },
    side: 'sell',
    rested: 0,
    minutes: 0,
    witnesses: [],
    relatives: null,
    others: [],
    status: null,
    ...more,
  }
}

/** Another origin that stands `at` a distance from the value in effect, beside a reading that moved. */
function voice(at: number, moved: number, isSlow = false): Witness {
  return {
    name: 'b',
    says: BASELINE,
    onlySell: false,
    at: { buy: at, sell: at },
    noise: { buy: 0.002, sell: 0.002 },
    moved: { buy: [at], sell: [at] },
    isSlow,
    intervals: 0,
  }
}

const points = (term: Term, subject: Subject) =>
  term(subject).reduce((sum, vote) => sum + vote.points, 0)

const moves = fc.double({ min: 0.02, max: 0.8, noNaN: true })
const minutes = fc.integer({ min: 0, max: 1000 })

describe('a step', () => {
  it.each([
    [0.01, 7, 12],
    [0.05, 3, 6],
    [0.2, 1, 6],
    [Math.LN10, -20, THRESHOLD - MOST_PATIENCE],
  ])('of %s weighs between %s and %s', (moved, least, most) => {
    expect(points(step, subjectOf(moved))).toBeGreaterThan(least)
    expect(points(step, subjectOf(moved))).toBeLessThan(most)
  })

  it('is likelier after a rest than without one', () => {
    fc.assert(
      fc.property(moves, fc.integer({ min: 1, max: 90 }), (moved, hours) => {
        const rested = { rested: hours * 3_600_000 }
        expect(points(step, subjectOf(moved, rested))).toBeGreaterThan(
          points(step, subjectOf(moved)),
        )
      }),
    )
  })
})

describe('a witness', () => {
  it('never lowers the score by coming nearer to the reading', () => {
    const way = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), moves, minutes)
    fc.assert(
      fc.property(
        way,
        fc.double({ min: 0, max: 1, noNaN: true }),
        ([share, moved, stood], more) => {
          const near = Math.min(1, share + more)
          const at = (part: number) =>
            points(
              witness,
              subjectOf(moved, { minutes: stood, witnesses: [voice(part * moved, moved)] }),
            )
          // Both sources may be elsewhere: what counts is the way from the old level to the new.
          fc.pre(share === 0 || near === 1)
          expect(at(near)).toBeGreaterThanOrEqual(at(share) - 1e-9)
        },
      ),
    )
  })

  it('tells less by its silence once it is overdue, for it may have stopped', () => {
    fc.assert(
      fc.property(moves, minutes, fc.nat(20), fc.nat(20), (moved, stood, intervals, more) => {
        const after = (intervals: number) =>
          points(
            witness,
            subjectOf(moved, { minutes: stood, witnesses: [{ ...voice(0, moved), intervals }] }),
          )
        expect(after(intervals + more)).toBeGreaterThanOrEqual(after(intervals) - 1e-9)
      }),
    )
    const [live, stopped] = [0, 10].map((intervals) =>
      points(
        witness,
        subjectOf(0.05, { minutes: 120, witnesses: [{ ...voice(0, 0.05), intervals }] }),
      ),
    )
    expect(live).toBeLessThan(-7)
    expect(stopped).toBeGreaterThan(live! + 0.5)
    expect(stopped).toBeLessThan(-6)
  })

  it('speaks softly at first and louder the longer it stays', () => {
    fc.assert(
      fc.property(moves, minutes, minutes, (moved, stood, more) => {
        const after = (minute: number) =>
          points(witness, subjectOf(moved, { minutes: minute, witnesses: [voice(0, moved)] }))
        expect(after(stood + more)).toBeLessThanOrEqual(after(stood) + 1e-9)
      }),
    )
  })

  it('says little by its silence once others left it behind', () => {
    const [live, left] = [false, true].map((isSlow) =>
      points(witness, subjectOf(0.1, { minutes: 120, witnesses: [voice(0, 0.1, isSlow)] })),
    )
    expect(left).toBeGreaterThan(-4)
    expect(live).toBeLessThan(-6)
  })

  it('that is wrong differently gives nothing', () => {
    const wrong = voice(0.08, 0.05)
    expect(points(witness, subjectOf(0.05, { witnesses: [wrong] }))).toBeLessThan(1)
  })
})

describe('the relatives', () => {
  it('bear out a move that they made, and speak against one that they did not, within a bound', () => {
    const [moved, stood] = [0.1, 0].map((at) =>
      points(relatives, subjectOf(0.1, { minutes: 60, relatives: { at, noise: 0.005 } })),
    )
    expect(moved).toBeGreaterThan(2)
    expect(stood).toBeLessThan(-5)
    expect(stood).toBeGreaterThan(-8)
  })
})

describe('persistence', () => {
  it('grows with time up to a bound, and is nothing once an operator rejected the value', () => {
    fc.assert(
      fc.property(minutes, minutes, (stood, more) => {
        const [now, later] = [stood, stood + more].map((minute) =>
          points(persistence, subjectOf(0.1, { minutes: minute })),
        )
        expect(later).toBeGreaterThanOrEqual(now!)
        expect(now).toBeLessThanOrEqual(MOST_PATIENCE)
      }),
    )
    expect(points(persistence, subjectOf(0.1, { minutes: 500, status: 'rejected' }))).toBe(0)
  })
})

describe('a spread', () => {
  it('is for the reading when usual and against it when one side was mistyped', () => {
    const usual = subjectOf(0)
    expect(points(spread, usual)).toBeGreaterThan(0)
    const source = { ...usual.source, sell: Math.round(usual.source.sell * 1.1) }
    expect(points(spread, { ...usual, source })).toBeLessThan(-3)
    const further = { ...usual.source, sell: Math.round(usual.source.sell * 1.3) }
    expect(points(spread, { ...usual, source: further })).toBeLessThan(-6)
  })
})

describe('the form', () => {
  const crossed = subjectOf(0)
  const { buy, sell } = crossed.source

  it.each([
    ['crossed sides', { ...crossed, source: { ...crossed.source, buy: sell, sell: buy } }],
    ["another pair's value", { ...crossed, source: { ...crossed.source, copied: true } }],
    ['a plain 1', subjectOf(0, { source: { ...crossed.source, buy: 10_000, sell: 10_000 } })],
  ])('of %s outweighs patience and one voice', (_, subject) => {
    expect(points(form, subject)).toBeLessThanOrEqual(BAD_FORM)
    const most = { ...subject, minutes: 10_000, witnesses: [voice(0, 0)] }
    expect(ballotOf(most).score).toBeLessThan(THRESHOLD)
  })

  it('of any other reading says nothing', () => {
    expect(form(subjectOf(0.01))).toEqual([])
  })
})

describe('the whole sum', () => {
  it('never falls by patience, nor by a second voice that says the same', () => {
    fc.assert(
      fc.property(moves, minutes, (moved, stood) => {
        const score = (more: Partial<Subject>) => ballotOf(subjectOf(moved, more)).score
        expect(score({ minutes: stood })).toBeGreaterThanOrEqual(score({}))
        expect(score({ minutes: stood, witnesses: [voice(moved, moved)] })).toBeGreaterThan(
          score({ minutes: stood }),
        )
      }),
    )
  })
})
