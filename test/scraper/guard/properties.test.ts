import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PAIRS, type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { accept, type AcceptInput } from '../../../workers/scraper/guard/guard.ts'
import { MOST_SOURCES, recall } from '../../../workers/scraper/guard/memory.ts'
import { explain } from '../../../tools/operate/admin/guard.ts'
import { Desk, type Says } from './desk.ts'

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

/** More sources than memory holds, and some of them twice. */
const anySays = fc.record({
  source: fc.constantFrom(...'abcdefghijklmn'),
  provenance: fc.constantFrom('x', 'y', 'z'),
  sameDefinition: fc.boolean(),
  onlySell: fc.boolean(),
  buy: anyPrice,
  sell: anyPrice,
})

const anyInput = fc.record({
  pair: anyPair,
  says: fc.array(anySays, { maxLength: 20, size: 'max' }),
  failed: fc.subarray(['a', 'b', 'c']),
  step: fc.oneof(fc.constant(300_000), fc.integer({ min: -1e12, max: 1e12 })),
})

/** Any sequence of cycles of one pair, each with the memory of the one before. */
const anyCycles = fc.array(anyInput, { minLength: 1, maxLength: 25 })

function run(
  cycles: typeof anyCycles extends fc.Arbitrary<infer T> ? T : never,
  store: (memory: unknown) => unknown,
) {
  const pair = cycles[0]!.pair
  let current: AcceptInput['current'] = null
  let memory: unknown
  let now = 1_770_000_000_000
  return cycles.map(({ says, failed, step }) => {
    now += step
    const candidates = says.map((said) => ({ pair, ...said }))
    const decision = accept({ pair, current, memory, candidates, failed, override: null, now })
    if (decision.publish) {
      const { buy, sell, source } = decision.publish
      current = { buy, sell, source, updatedAt: now, lastScrapedAt: now }
    } else if (current && decision.confirmed) {
      current = { ...current, lastScrapedAt: now }
    }
    memory = store(decision.memory)
    return decision
  })
}

describe('whatever the sources say, in whatever order of time', PATIENT, () => {
  it('nothing but positive whole prices is published or held', () => {
    fc.assert(
      fc.property(anyCycles, (cycles) => {
        for (const { publish, held } of run(cycles, (memory) => memory)) {
          for (const one of [publish, held?.candidate]) {
            if (!one) continue
            expect(Number.isSafeInteger(one.buy) && one.buy > 0).toBe(true)
            expect(Number.isSafeInteger(one.sell) && one.sell > 0).toBe(true)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('the decision is the same every time, also after the memory went through JSON', () => {
    fc.assert(
      fc.property(anyCycles, (cycles) => {
        const plain = run(cycles, (memory) => memory)
        const stored = run(cycles, (memory) => JSON.parse(JSON.stringify(memory)) as unknown)
        expect(stored).toEqual(plain)
      }),
      { numRuns: 60 },
    )
  })

  it('the memory stays small and is understood when it comes back', () => {
    fc.assert(
      fc.property(anyCycles, (cycles) => {
        for (const { memory } of run(cycles, (memory) => memory)) {
          expect(JSON.stringify(memory).length).toBeLessThan(MOST_SOURCES * SOURCE_LENGTH + 500)
          expect(recall(JSON.parse(JSON.stringify(memory)))).toEqual(memory)
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('a stored memory', () => {
  const { memory } = new Desk('USD/BLUE', [1125, 1145]).cycle({ first: [1125, 1145] })
  const old = fc.constantFrom({ ...memory, v: 3 }, { ...memory, sources: 'x' }, undefined, [])

  it('of any other shape starts fresh', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), old), (memory) => {
        const input = { pair: PAIRS[2]!, current: null, candidates: [], failed: ['a'], now: 1e12 }
        const given = { ...input, override: null }
        expect(accept({ ...given, memory })).toEqual(accept({ ...given, memory: undefined }))
      }),
    )
  })

  it('of more sources than can be starts fresh', () => {
    const many = Array.from({ length: 50 }, (_, i) => ({ ...memory.sources[0]!, name: `s${i}` }))
    expect(recall({ ...memory, sources: many }).sources).toEqual([])
  })
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
          const desk = new Desk(pair as 'USD/BLUE', [sell * 0.98, sell])
          desk.cycle({ first: [sell * 0.98, sell], twin: [sell * 0.98, sell] })
          for (const [index, jump] of jumps.entries()) {
            desk.now += index % 3 ? 0 : jump
            const wobble = factor * (1 + (index % 5) / 1000)
            const fault: Says = [sell * 0.98 * wobble, sell * wobble]
            expect(desk.cycle({ first: fault, twin: fault }).publish).toBeNull()
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
          const before: Says = [sell * 0.98, sell]
          const after: Says = [sell * 0.98 * factor, sell * factor]
          const desk = new Desk(pair as 'USD/BLUE', before as [number, number])
          desk.cycle({ first: before, second: before })
          desk.cycles(lag, { first: after, second: before })
          desk.cycles(3, { first: after, second: after })
          expect(Math.abs(desk.sell()! / (sell * factor) - 1)).toBeLessThan(0.001)
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
        const desk = new Desk(pairKey(pair), [sell, sell])
        desk.cycles(24, { first: [sell * factor, sell * factor] })
        expect(Math.abs(desk.sell()! / (sell * factor) - 1)).toBeLessThan(0.001)
      }),
      { numRuns: 60 },
    )
  })

  it('the order of the sources in memory does not change the decision', () => {
    const near = fc.double({ min: 0.9, max: 1.1, noNaN: true })
    const cycle = fc.record({ first: near, second: near, third: near, near })
    fc.assert(
      fc.property(fc.array(cycle, { minLength: 1, maxLength: 30 }), (cycles) => {
        const desk = new Desk('USD/BLUE', [1100, 1120])
        for (const factors of cycles) {
          const says = Object.entries(factors).map(([name, factor]): [string, Says] => [
            name,
            [Math.round(1100 * factor), Math.round(1120 * factor)],
          ])
          desk.cycle(Object.fromEntries(says))
        }
        const pair = PAIRS.find((one) => pairKey(one) === 'USD/BLUE')!
        const memory = desk.memory!
        const turned = { ...memory, sources: memory.sources.toReversed() }
        const scoresOf = (stored: unknown) =>
          new Map(
            explain(pair, stored, desk.current, [], desk.now).map(({ name, evidence }) => [
              name,
              evidence.split(' → ')[1],
            ]),
          )
        const [one, other] = [scoresOf(memory), scoresOf(turned)]
        for (const [name, score] of one) expect(other.get(name)).toBe(score)
      }),
      { numRuns: 40 },
    )
  })
})
