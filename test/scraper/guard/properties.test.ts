import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PAIRS, type Pair, pairKey } from '../../../shared/market/catalog.ts'
import type { Current } from '../../../workers/scraper/guard/facts.ts'
import { accept } from '../../../workers/scraper/guard/guard.ts'
import { MOST_SOURCES, NEW_MEMORY, parseGuard } from '../../../workers/scraper/guard/memory.ts'
import { PairState, type Prices } from './pair-state.ts'

/** For thousands of cycles on a busy machine. */
const PATIENT = { timeout: 60_000 }

/** The length of a source in JSON with the longest numbers and a state before a notable change. */
const SOURCE_LENGTH = 900

const anyPair = fc.constantFrom<Pair>(...PAIRS)
const usd = fc.constantFrom('USD/BLUE', 'USD/OFICIAL', 'USD/CRIPTO', 'USD/CCL', 'EUR/BNA' as const)
const anyPrice = fc.oneof(
  fc.integer({ min: -1000, max: 900_000_000 }),
  fc.constantFrom(
    0,
    1,
    10_000,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    12.5,
    9_999_999_999_999,
    Number.MAX_SAFE_INTEGER,
  ),
)

const anyRead = fc.record({
  source: fc.constantFrom(...'abcdefghijklmn'),
  provenance: fc.constantFrom('x', 'y', 'z'),
  sameDefinition: fc.boolean(),
  onlySell: fc.boolean(),
  buy: anyPrice,
  sell: anyPrice,
})

const anyInput = fc.record({
  pair: anyPair,
  /** More sources than memory holds, each once. */
  read: fc.uniqueArray(anyRead, { maxLength: 14, size: 'max', selector: ({ source }) => source }),
  step: fc.oneof(fc.constant(300_000), fc.integer({ min: -1e12, max: 1e12 })),
})

/** Any sequence of cycles of one pair, each with the memory of the one before. */
const anyCycles = fc.array(anyInput, { minLength: 1, maxLength: 25 })

it(
  'whatever the sources give, whenever: prices are positive, and memory is small and storable',
  () => {
    fc.assert(
      fc.property(anyCycles, (cycles) => {
        const { pair } = cycles[0]!
        const input = { pair, market: [], override: null }
        let current = null as Current | null
        let memory = NEW_MEMORY
        let now = 1_770_000_000_000
        for (const { read, step } of cycles) {
          now += step
          const candidates = read.map((prices) => ({ pair, ...prices }))
          const decision = accept(candidates, { ...input, current, memory, now })
          const { publish, held, source } = decision
          for (const one of [publish, held])
            for (const price of one ? [one.buy, one.sell] : [])
              expect(Number.isSafeInteger(price) && price > 0).toBe(true)
          if (publish) current = { ...publish, updatedAt: now, lastScrapedAt: now }
          else if (current && source) current = { ...current, lastScrapedAt: now }
          const stored = JSON.stringify({ [pairKey(pair)]: decision.memory })
          expect(stored.length).toBeLessThan(MOST_SOURCES * SOURCE_LENGTH + 500)
          memory = parseGuard(stored)[pairKey(pair)]!
          expect(memory).toEqual(decision.memory)
        }
      }),
      { numRuns: 120 },
    )
  },
  PATIENT.timeout,
)

it('a stored memory of another shape is replaced by an empty one', () => {
  const { memory } = new PairState('USD/BLUE', [1125, 1145]).cycle({ first: [1125, 1145] })
  const many = Array.from({ length: 50 }, (_, i) => ({ ...memory.sources[0]!, name: `s${i}` }))
  const old = [{ ...memory, v: 3 }, { ...memory, sources: 'x' }, { ...memory, sources: many }, []]
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.constantFrom(...old)), (other) => {
      const stored = JSON.stringify({ good: memory, other })
      expect(parseGuard(stored)).toEqual({ good: memory, other: NEW_MEMORY })
    }),
  )
  expect([parseGuard('[1'), parseGuard('[]'), parseGuard(null)]).toEqual([{}, {}, {}])
})

describe('for any pair at any level', PATIENT, () => {
  const level = fc
    .double({ min: 700, max: 3000, noNaN: true })
    .map((sell) => Math.round(sell * 100) / 100)

  it('a power of ten from one origin is never published, whatever the clock does', () => {
    fc.assert(
      fc.property(
        usd,
        level,
        fc.constantFrom(0.001, 0.01, 0.1, 10, 12.6, 100, 1000),
        fc.array(fc.integer({ min: -1e10, max: 1e10 }), { minLength: 60, maxLength: 120 }),
        (pair, sell, factor, jumps) => {
          const state = new PairState(pair as 'USD/BLUE', [sell * 0.98, sell])
          state.cycle({ first: [sell * 0.98, sell], twin: [sell * 0.98, sell] })
          for (const [index, jump] of jumps.entries()) {
            state.now += index % 3 ? 0 : jump
            const wobble = factor * (1 + (index % 5) / 1000)
            const fault: Prices = [sell * 0.98 * wobble, sell * wobble]
            expect(state.cycle({ first: fault, twin: fault }).publish).toBeNull()
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('a move that two origins confirm is published within three cycles', () => {
    fc.assert(
      fc.property(
        usd,
        level,
        fc.double({ min: 0.5, max: 2.5, noNaN: true }),
        fc.integer({ min: 0, max: 30 }),
        (pair, sell, factor, lag) => {
          const before: Prices = [sell * 0.98, sell]
          const after: Prices = [sell * 0.98 * factor, sell * factor]
          const state = new PairState(pair as 'USD/BLUE', before as [number, number])
          state.cycle({ first: before, second: before })
          state.cycles(lag, { first: after, second: before })
          state.cycles(3, { first: after, second: after })
          expect(Math.abs(state.sell()! / (sell * factor) - 1)).toBeLessThan(0.001)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('any step below an order of magnitude is published within two hours from one source', () => {
    fc.assert(
      fc.property(anyPair, fc.double({ min: 0.45, max: 2.2, noNaN: true }), (pair, factor) => {
        const sell = { CLP: 1.6, UYU: 38, BRL: 280 }[pair.currency as string] ?? 1500
        fc.pre(Math.round(sell * factor * 10_000) !== 10_000)
        const state = new PairState(pairKey(pair), [sell, sell])
        state.cycles(24, { first: [sell * factor, sell * factor] })
        expect(Math.abs(state.sell()! / (sell * factor) - 1)).toBeLessThan(0.001)
      }),
      { numRuns: 60 },
    )
  })
})
