import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Condition,
  type Phase,
  crossing,
  isMet,
  measure,
} from '../../../shared/alerts/alert.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'

const AGAINST = { pair: findPairByKey('usd/oficial')!, side: 'sell' } as const

interface Market {
  blue: number
  oficial: number
  /** The last value before today's midnight. */
  close: number | null
}

interface Level {
  condition: Condition
  threshold: number
  hysteresis: number
}

const quoteOf = (value: number) => ({ buy: value, sell: value, updatedAt: 0 })

function measured(condition: Condition, { blue, oficial, close }: Market) {
  const rule = { side: 'sell', condition, against: condition === 'gap' ? AGAINST : null } as const
  return measure(rule, quoteOf(blue), quoteOf(oficial), close)!
}

/** How far the market is inside the condition, in units of the threshold; null without a base. */
function depth({ condition, threshold }: Level, { blue, oficial, close }: Market): number | null {
  if (condition === 'above') return blue - threshold
  if (condition === 'below') return threshold - blue
  const base = condition === 'gap' ? oficial : close
  return base === null ? null : (Math.abs(blue - base) * 10_000) / base - threshold
}

const levels = fc
  .record({
    condition: fc.constantFrom<Condition>('above', 'below', 'change', 'gap'),
    level: fc.integer({ min: 95, max: 107 }),
    percent: fc.integer({ min: 1, max: 12 }),
    hysteresis: fc.constantFrom(0, 0.5, 3),
  })
  .map(({ condition, level, percent, hysteresis }): Level => {
    const isPrice = condition === 'above' || condition === 'below'
    const [size, scale] = isPrice ? [level, 10_000] : [percent, 100]
    return {
      condition,
      threshold: size * scale,
      hysteresis: hysteresis < size ? hysteresis * scale : 0,
    }
  })
const prices = fc.integer({ min: 90, max: 112 }).map((price) => price * 10_000)
const moves = fc.array(fc.record({ blue: prices, oficial: prices, isNewDay: fc.boolean() }), {
  minLength: 1,
  maxLength: 30,
})

it('fires when the condition begins, once, until the value has left it by the hysteresis or a new day begins', () => {
  fc.assert(
    fc.property(levels, moves, (level, course) => {
      let market: Market = { blue: 1_000_000, oficial: 1_000_000, close: null }
      let phase: Phase | null = null
      let isReady = (depth(level, market) ?? -1) < 0

      for (const { isNewDay, ...values } of course) {
        const today = { ...market, close: isNewDay ? market.blue : market.close }
        const next = { ...today, ...values }
        const [before, after] = [measured(level.condition, today), measured(level.condition, next)]
        const result = crossing(level, phase, { before, after })

        const inside = depth(level, next)
        if (level.condition === 'change' && isNewDay) isReady = true
        const fires = isReady && inside !== null && inside >= 0
        expect(result.fires).toBe(fires)
        if (fires) isReady = false
        else if (inside !== null && inside < -level.hysteresis) isReady = true
        phase = fires ? 'waiting' : result.phase
        expect(phase).toBe(isReady ? 'armed' : 'waiting')
        market = next
      }
    }),
  )
})

it.each([
  [0, false],
  [1, true],
])(
  'compares exactly values that doubles cannot distinguish: %d more than just below 33,33 %%',
  (more, met) => {
    const base = 9_999_999_999_997
    const below = Number((3333n * BigInt(base) - 1n) / 10_000n)
    const level = { condition: 'change', threshold: 3333, hysteresis: 0 } as const
    const market = { blue: base + below + more, oficial: 1, close: base }
    expect(isMet(level, measured('change', market)!)).toBe(met)
  },
)
