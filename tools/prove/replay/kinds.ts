/** The kinds of fault, each made as it happens in the world. */
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import {
  PRICE_SCALE,
  priceToNumber,
  numberToPrice,
  roundPrice,
} from '../../../shared/market/price.ts'
import { stepBetween } from './evaluate.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Observation } from './series.ts'
import { countUntil } from './simulate.ts'

export interface Sides {
  buy: number
  sell: number
}

/** What a source shows in place of an honest value. */
export type Distortion = (honest: Sides) => Sides

export interface FaultSite {
  pair: Pair
  /** What the source honestly says when the fault begins. */
  honest: Sides
  /** What it says of its other pairs then. */
  others: readonly Sides[]
  random: Random
}

export interface Fault {
  /** One for each faulted source: the first, and where both are wrong the second. */
  distortions: readonly Distortion[]
  minutes: number
}

export interface Kind {
  name: FaultKind
  /** Null where the fault would be none, or none that anybody could see. */
  make(site: FaultSite): Fault | null
  /** Needs a second source to be told from the market. */
  needsTwo?: boolean
}

export type FaultKind =
  | '×10'
  | '÷10'
  | '×100'
  | 'sides swapped'
  | 'zero'
  | 'one'
  | 'another pair'
  | 'separator misread'
  | 'digit mistyped'
  | 'digit dropped'
  | 'one side only'
  | '+3 to +12 %'
  | 'stale'
  | 'both wrong'

/** A smaller fault than this is none to a reader: sources stand that far apart by themselves. */
const LEAST = Math.log1p(0.02)

/** Bond ratios invert by up to 2.4 % by themselves; elsewhere half a per cent shows. */
const INVERTED_BOND = 0.025
const INVERTED = 0.005

const HOUR = 60

export const KINDS: readonly Kind[] = [
  scaled('×10', 10),
  scaled('÷10', 0.1),
  scaled('×100', 100),
  {
    name: 'sides swapped',
    make({ pair, honest, random }) {
      const isBond = ['USD/BOLSA', 'USD/CCL'].includes(pairKey(pair))
      if (honest.sell / honest.buy - 1 < (isBond ? INVERTED_BOND : INVERTED)) return null
      return follows(({ buy, sell }) => ({ buy: sell, sell: buy }), random)
    },
  },
  fixed('zero', 0),
  fixed('one', PRICE_SCALE),
  {
    name: 'another pair',
    make({ pair, honest, others, random }) {
      const far = others.filter((other) => stepBetween(honest, other) >= LEAST)
      return far.length === 0 ? null : stands(cut(pair, random.pick(far)), random)
    },
  },
  {
    // 1.145,50 read as 1.1455, or 1145,50 read as 114550.
    name: 'separator misread',
    make({ pair, random }) {
      const factor = random.coin() ? 10 ** pair.decimals : 0.001
      return factor === 1 ? null : follows(times(pair, factor, factor), random)
    },
  },
  {
    name: 'digit mistyped',
    make({ pair, honest, random }) {
      const typed = onSomeSide(honest, random, (price) => mistype(price, random))
      return stepBetween(honest, typed) < LEAST ? null : stands(cut(pair, typed), random)
    },
  },
  {
    name: 'digit dropped',
    make({ pair, honest, random }) {
      const typed = onSomeSide(honest, random, (price) => dropDigit(price, random))
      return stepBetween(honest, typed) < LEAST ? null : stands(cut(pair, typed), random)
    },
  },
  {
    name: 'one side only',
    make({ pair, random }) {
      const factor = 1 + random.between(0.03, 0.3) * (random.coin() ? 1 : -1)
      const isSell = random.coin()
      return follows(times(pair, isSell ? 1 : factor, isSell ? factor : 1), random)
    },
  },
  {
    name: '+3 to +12 %',
    make({ pair, random }) {
      const factor = 1 + random.between(0.03, 0.12)
      return { distortions: [times(pair, factor, factor)], minutes: HOUR }
    },
  },
  {
    name: 'stale',
    needsTwo: true,
    make({ honest, random }) {
      return { distortions: [() => honest], minutes: random.between(3, 10) * HOUR }
    },
  },
  {
    // MEP and CCL on one day: each source a few per cent off, not by the same.
    name: 'both wrong',
    needsTwo: true,
    make({ pair, random }) {
      const factors = [0, 1].map(() => 1 + random.between(0.04, 0.12) * (random.coin() ? 1 : -1))
      const [one = 1, two = 1] = factors
      if (Math.abs(Math.log(one / two)) < LEAST) return null
      return { distortions: factors.map((factor) => times(pair, factor, factor)), minutes: HOUR }
    },
  },
]

function scaled(name: FaultKind, factor: number): Kind {
  return { name, make: ({ pair, random }) => follows(times(pair, factor, factor), random) }
}

/** One side or both. */
function fixed(name: FaultKind, price: number): Kind {
  return {
    name,
    make({ honest, random }) {
      const sides = onSomeSide(honest, random, () => price)
      return stepBetween(honest, sides) < LEAST ? null : stands(sides, random)
    },
  }
}

/** The recorded faults stood for 40 minutes to 3 hours; shorter ones nobody recorded. */
function usualMinutes(random: Random): number {
  return random.logBetween(10, 3 * HOUR)
}

function stands(sides: Sides, random: Random): Fault {
  return { distortions: [() => sides], minutes: usualMinutes(random) }
}

/** Goes with the market: what is wrong is how the source reads it, not one number. */
function follows(distortion: Distortion, random: Random): Fault {
  return { distortions: [distortion], minutes: usualMinutes(random) }
}

export function times(pair: Pair, buy: number, sell: number): Distortion {
  return (honest) => cut(pair, { buy: honest.buy * buy, sell: honest.sell * sell })
}

/** Whoever types types sell, buy, or both wrong. */
function onSomeSide(honest: Sides, random: Random, type: (price: number) => number): Sides {
  const which = random.pick(['buy', 'sell', 'both'])
  return {
    buy: which === 'sell' ? honest.buy : type(honest.buy),
    sell: which === 'buy' ? honest.sell : type(honest.sell),
  }
}

/** Another digit in one of the first three places. */
function mistype(price: number, random: Random): number {
  const digits = String(priceToNumber(price))
  const places = [...digits].flatMap((char, index) => (/\d/.test(char) ? [index] : [])).slice(0, 3)
  const place = random.pick(places)
  const digit = (Number(digits[place]) + 1 + Math.floor(random.unit() * 9)) % 10
  return numberToPrice(Number(digits.slice(0, place) + digit + digits.slice(place + 1)))
}

/** One digit of the whole part is missing. */
function dropDigit(price: number, random: Random): number {
  const digits = String(priceToNumber(price))
  const whole = digits.split('.')[0]!.length
  const place = Math.floor(random.unit() * whole)
  return numberToPrice(Number(digits.slice(0, place) + digits.slice(place + 1) || 0))
}

function cut({ decimals }: Pair, { buy, sell }: Sides): Sides {
  return {
    buy: roundPrice(Math.round(buy), decimals),
    sell: roundPrice(Math.round(sell), decimals),
  }
}

/** Only what lies near a trial is copied. */
const BEHIND = 4

/** The series with what was said in `[from, until)` distorted; nothing of after `end` is kept. */
export function distort(
  series: readonly Observation[],
  { from, until, end }: { from: Instant; until: Instant; end: Instant },
  distortion: Distortion,
): Observation[] {
  const before = series.slice(
    Math.max(0, countUntil(series, from) - BEHIND),
    countUntil(series, from),
  )
  const during = series.slice(countUntil(series, from), countUntil(series, until - 1))
  const after = series.slice(countUntil(series, until - 1), countUntil(series, end))
  const inEffect = before.at(-1)
  const last = during.at(-1) ?? inEffect

  return [
    ...before.filter(({ at }) => at < from),
    ...(inEffect ? [{ ...distortion(inEffect), at: from }] : []),
    ...during.map((one) => ({ ...distortion(one), at: one.at })),
    ...(last && until <= end ? [{ ...last, at: until }] : []),
    ...after,
  ]
}

/** A seeded stream of numbers: the same seed and name give the same trials, whatever else runs. */
export class Random {
  #state: number

  constructor(seed: number, name: string) {
    this.#state = seed >>> 0
    for (const char of name) {
      this.#state = Math.imul(this.#state ^ char.codePointAt(0)!, 0x01000193) >>> 0
    }
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

  /** Evenly over the logarithm: as many short ones as long ones. */
  logBetween(low: number, high: number): number {
    return low * (high / low) ** this.unit()
  }

  coin(): boolean {
    return this.unit() < 0.5
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T {
    return items[Math.floor(this.unit() * items.length)]!
  }
}
