/** The kinds of fault, each made as it happens in reality. */
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { numberToPrice, priceToNumber, roundPrice } from '../../../shared/market/price.ts'
import { type Level, widest } from '../../../workers/scraper/guard/level.ts'
import type { Distortion } from './sources.ts'

interface FaultSite {
  pair: Pair
  /** The recorded value when the fault begins. */
  honest: Level
  /** The values of the other pairs at that time. */
  others: readonly Level[]
  random: Random
}

export interface Kind {
  name: string
  /** Only a second source can reveal `stale` and `both wrong`. */
  group: 'gross' | 'mild' | 'stale' | 'both wrong'
  /**
   * What the first source shows, and for `both wrong` also the second. Empty if the fault would
   * change nothing, or nothing that a reader could see.
   */
  make(site: FaultSite): Distortion[]
  minutes(random: Random): number
}

/** A smaller fault is not counted: honest sources differ by as much. */
export const LEAST = Math.log1p(0.02)

/** Level of bond ratios cross by up to 2.4 % naturally; elsewhere half a percent is visible. */
const INVERTED_BOND = 0.025
const INVERTED = 0.005

/** The faults in the hourly recordings lasted 40 minutes to 3 hours; shorter ones are added. */
const usual = (random: Random) => random.logBetween(10, 180)
const anHour = () => 60

export const KINDS: readonly Kind[] = [
  kind('gross', '×10', ({ pair }) => [times(pair, 10)]),
  kind('gross', 'sides swapped', ({ pair, honest: { buy, sell } }) => {
    const isBond = ['USD/BOLSA', 'USD/CCL'].includes(pairKey(pair))
    const isSeen = sell / buy - 1 >= (isBond ? INVERTED_BOND : INVERTED)
    return isSeen ? [({ buy, sell }) => ({ buy: sell, sell: buy })] : []
  }),
  kind('gross', 'zero', (site) => {
    const sides = onSomeSide(site, () => 0)
    return stands(site, sides)
  }),
  kind('gross', 'another pair', (site) => {
    const far = site.others.filter((other) => widest(site.honest, other) >= LEAST)
    return far.length === 0 ? [] : stands(site, cut(site.pair, site.random.pick(far)))
  }),
  // 1.145,50 is read as 1.1455, or 1145,50 as 114550.
  kind('gross', 'separator misread', ({ pair, random }) => {
    const factor = random.coin() ? 10 ** pair.decimals : 0.001
    return factor === 1 ? [] : [times(pair, factor)]
  }),
  kind('mild', 'digit mistyped', (site) => stands(site, cut(site.pair, onSomeSide(site, mistype)))),
  kind('mild', 'digit dropped', (site) =>
    stands(site, cut(site.pair, onSomeSide(site, dropDigit))),
  ),
  kind('mild', 'one side only', ({ pair, random }) => {
    const factor = aside(random, 0.03, 0.3)
    return [random.coin() ? times(pair, 1, factor) : times(pair, factor, 1)]
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
  // MEP and CCL on one day: each source is wrong by a few percent, each by another amount.
  kind(
    'both wrong',
    'both wrong',
    ({ pair, random }) => {
      const [one, two] = [aside(random, 0.04, 0.12), aside(random, 0.04, 0.12)]
      return Math.abs(Math.log(one / two)) < LEAST ? [] : [times(pair, one), times(pair, two)]
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
export function needsTwo({ group }: Kind): boolean {
  return group === 'stale' || group === 'both wrong'
}

/** The same wrong value while the fault lasts. Other faults follow the market. */
function stands({ honest }: FaultSite, sides: Level): Distortion[] {
  return widest(honest, sides) < LEAST ? [] : [() => sides]
}

export function times(pair: Pair, buy: number, sell = buy): Distortion {
  return (honest) => cut(pair, { buy: honest.buy * buy, sell: honest.sell * sell })
}

/** A factor above or below 1 by a share between `least` and `most`. */
function aside(random: Random, least: number, most: number): number {
  return 1 + random.between(least, most) * (random.coin() ? 1 : -1)
}

/** One typing mistake: in buy, in sell, or in both. */
function onSomeSide(
  { honest: { buy, sell }, random }: FaultSite,
  type: (price: number, random: Random) => number,
): Level {
  const which = random.pick(['buy', 'sell', 'both'])
  return {
    buy: which === 'sell' ? buy : type(buy, random),
    sell: which === 'buy' ? sell : type(sell, random),
  }
}

/** Changes one of the first three digits. */
function mistype(price: number, random: Random): number {
  const digits = String(priceToNumber(price))
  const places = [...digits].flatMap((char, index) => (/\d/.test(char) ? [index] : [])).slice(0, 3)
  const place = random.pick(places)
  const digit = (Number(digits[place]) + 1 + Math.floor(random.unit() * 9)) % 10
  return numberToPrice(Number(digits.slice(0, place) + digit + digits.slice(place + 1)))
}

/** Drops one digit of the whole part. */
function dropDigit(price: number, random: Random): number {
  const digits = String(priceToNumber(price))
  const whole = digits.split('.')[0]!.length
  const place = Math.floor(random.unit() * whole)
  return numberToPrice(Number(digits.slice(0, place) + digits.slice(place + 1) || 0))
}

function cut({ decimals }: Pair, { buy, sell }: Level): Level {
  const round = (price: number) => roundPrice(Math.round(price), decimals)
  return { buy: round(buy), sell: round(sell) }
}

/** A seeded stream of numbers: the same seed and name give the same trials, whatever else runs. */
export class Random {
  #state: number

  constructor(seed: number, name: string) {
    this.#state = seed >>> 0
    for (const char of name)
      this.#state = Math.imul(this.#state ^ char.codePointAt(0)!, 0x01000193) >>> 0
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

  /** Uniform in the logarithm, so that short times are as frequent as long ones. */
  logBetween(low: number, high: number): number {
    return low * (high / low) ** this.unit()
  }

  coin(): boolean {
    return this.unit() < 0.5
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.unit() * items.length)]!
  }
}
