/** The kinds of fault. Each imitates real faults of sources. */
import type { Pair } from '../../../shared/market/catalog.ts'
import { numberToPrice, priceToNumber, roundPrice } from '../../../shared/market/price.ts'
import { distance, type Level, mapSides, widest } from '../../../workers/scraper/guard/level.ts'
import type { Distortion } from './sources.ts'

interface FaultSite {
  pair: Pair
  /** The recorded value when the fault begins. */
  honest: Level
  random: Random
}

export interface Kind {
  name: string
  /** Only a second source can reveal `stale` and `both wrong`. */
  group: 'gross' | 'mild' | 'stale' | 'both wrong'
  /**
   * The distortion of the first source and, for `both wrong`, of the second. Empty if the fault
   * would be too small to count.
   */
  make(site: FaultSite): Distortion[]
  minutes(random: Random): number
}

/** A smaller fault does not count, because honest sources differ by as much. */
export const LEAST = Math.log1p(0.02)
/** In the order books of bonds, buy exceeds sell by up to 2.4 % without a fault. */
const CROSSED = 1.025

/** From 10 minutes to 3 hours, log-uniform. */
const usual = (random: Random) => 10 * 18 ** random.unit()
const anHour = () => 60

export const KINDS: readonly Kind[] = [
  // 1.145,50 is read as 1.1455, or 1145,50 as 114550.
  kind('gross', 'separator misread', ({ pair, random }) => [
    times(pair, random.pick([10 ** pair.decimals, 0.001])),
  ]),
  kind('gross', 'sides swapped', ({ honest: { buy, sell } }) =>
    sell / buy >= CROSSED ? [({ buy, sell }) => ({ buy: sell, sell: buy })] : [],
  ),
  kind('mild', 'digit mistyped', (site) =>
    retyped(site, (digit) => (digit + 1 + Math.floor(site.random.unit() * 9)) % 10),
  ),
  kind('mild', 'digit dropped', (site) => retyped(site, () => '')),
  kind('mild', 'one side only', ({ pair, random }) => {
    const factor = aside(random, 0.03, 0.3)
    return [random.pick([times(pair, 1, factor), times(pair, factor, 1)])]
  }),
  kind(
    'mild',
    '+3 to +12 %',
    ({ pair, random }) => [times(pair, 1 + random.between(0.03, 0.12))],
    anHour,
  ),
  kind(
    'stale',
    'stale',
    ({ honest }) => [() => honest],
    (random) => random.between(3, 10) * 60,
  ),
  // Happened to MEP and CCL on one day: two sources were wrong by different amounts.
  kind(
    'both wrong',
    'both wrong',
    ({ pair, random }) => {
      const [one, two] = [aside(random, 0.04, 0.12), aside(random, 0.04, 0.12)]
      return Math.abs(distance(one, two)) < LEAST ? [] : [times(pair, one), times(pair, two)]
    },
    anHour,
  ),
]

function kind(
  group: Kind['group'],
  name: string,
  make: Kind['make'],
  minutes: Kind['minutes'] = usual,
): Kind {
  return { name, group, make, minutes }
}

/** Whether only a second source can reveal the fault. */
export function needsTwo(group: string): boolean {
  return group === 'stale' || group === 'both wrong'
}

export function times({ decimals }: Pair, buy: number, sell = buy): Distortion {
  const cut = (price: number) => roundPrice(Math.round(price), decimals)
  return (honest) => ({ buy: cut(honest.buy * buy), sell: cut(honest.sell * sell) })
}

/** A factor above or below 1 by a share between `least` and `most`. */
function aside(random: Random, least: number, most: number): number {
  return 1 + random.between(least, most) * random.pick([1, -1])
}

/** Replaces one of the first three digits in buy, in sell or in both, until the fault ends. */
function retyped({ honest, random }: FaultSite, by: (digit: number) => number | ''): Distortion[] {
  const which = random.pick(['buy', 'sell', 'both'])
  const shown = mapSides((side) => {
    if (which !== side && which !== 'both') return honest[side]
    const digits = String(priceToNumber(honest[side]))
    const indices = [...digits].flatMap((char, index) => (char === '.' ? [] : [index]))
    const at = random.pick(indices.slice(0, 3))
    return numberToPrice(
      Number(digits.slice(0, at) + by(Number(digits[at])) + digits.slice(at + 1)),
    )
  })
  return widest(honest, shown) < LEAST ? [] : [() => shown]
}

/** A seeded stream of numbers: the same seed and name always give the same trials. */
export class Random {
  #state: number

  constructor(seed: number, name: string) {
    this.#state = seed
    for (const char of name) this.#state = Math.imul(this.#state ^ char.codePointAt(0)!, 0x01000193)
    for (let warm = 0; warm < 4; warm += 1) this.unit()
  }

  /** At least 0 and less than 1 (mulberry32). */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit()
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.unit() * items.length)]!
  }
}
