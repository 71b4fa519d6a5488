/**
 * One simulated market that all upstreams tell of, so that they agree with each other as real ones
 * do. Its prices are inventions and floating: what is exact begins at the parsers.
 */
import {
  argentineDay,
  type Day,
  DAY_MS,
  dayEnd,
  dayStart,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
} from '../../shared/argentine-time.ts'
import { bankDayBefore } from '../../shared/market/holidays.ts'
import { cerOn, uvaOn } from './indices.ts'
import { createNoise } from './noise.ts'

export interface Sides {
  buy: number
  sell: number
}

/** What every upstream knows at one instant. */
export interface Market {
  now: Instant
  today: Day
  /** The last bank day before today: central banks' closing rates are of it. */
  lastClose: Day
  oficial: Sides
  bna: Sides
  blue: Sides
  mayorista: Sides
  /** The wholesale reference of the last close (A 3500). */
  a3500: number
  mep: number
  ccl: number
  cripto: Sides
  /** Monthly carry of the futures, as a factor. */
  carry: number
  eurUsd: number
  brlPerUsd: number
  clpPerUsd: number
  uyuPerUsd: number
  bnaEuro: Sides
  /** Pesos per real; the bank's table prints a hundred. */
  bnaReal: Sides
  riesgo: number
  cer: (day: Day) => number
  uva: (day: Day) => number
  /** The wholesale reference of a bank day. */
  a3500On: (day: Day) => number
  /** The same market at the end of another day. */
  on: (day: Day) => Market
}

export interface MarketOptions {
  seed: number
  /** Prices that trade move once in each step. */
  stepMs: number
}

/** The dollar rises by this every month, and was worth its base then. */
const MONTHLY_GROWTH = 1.018
const BASE_AT = Date.parse('2026-11-01T03:00:00Z')
const MONTH_MS = 30.44 * DAY_MS

/** Under this part of today's prices, banks round to cents instead of pesos. */
const CENTS_BELOW = 0.3

/**
 * The market at an instant. Traded prices move in every step, banks change theirs a few times a
 * day, indices once a day; a step moves nothing by more than a few tenths of a percent.
 */
export function marketAt(instant: Instant, { seed, stepMs }: MarketOptions): Market {
  const noise = createNoise(seed)
  const step = Math.floor(instant / stepMs) * stepMs
  const today = argentineDay(instant)

  /** How the years raise prices, with the slow mood of weeks, days and hours. */
  const slow = (name: string, at: Instant) =>
    MONTHLY_GROWTH ** ((at - BASE_AT) / MONTH_MS) *
    (1 +
      0.04 * noise(name, at, 45 * DAY_MS) +
      0.012 * noise(name, at, 5 * DAY_MS) +
      0.003 * noise(name, at, 6 * HOUR_MS))
  /** …and the flutter of single steps. */
  const traded = (name: string) => 1 + 0.0006 * noise(`${name}-step`, step, stepMs)
  const dollar = slow('dollar', step)
  const gap = 0.045 + 0.006 * noise('gap', step, DAY_MS)

  const wholesale = 1520 * dollar * traded('mayorista')
  const retail = 1520 * slow('dollar', Math.floor(step / (3 * HOUR_MS)) * 3 * HOUR_MS)
  const mep = 1520 * dollar * (1 + gap * 0.6) * traded('mep')
  const ccl = mep * (1.042 + 0.003 * noise('ccl', step, DAY_MS)) * traded('ccl')
  const cripto =
    mep *
    (1.012 + 0.002 * noise('cripto', step, HOUR_MS)) *
    (1 + 0.001 * noise('cripto-step', step, stepMs))
  const blue =
    1520 * slow('dollar', Math.floor(step / (20 * MINUTE_MS)) * 20 * MINUTE_MS) * (1 + gap * 0.5)
  const eurUsd = 1.16 * (1 + 0.004 * noise('eur', step, 2 * DAY_MS)) * traded('eur')
  const tick = dollar < CENTS_BELOW ? 0.01 : 1
  /** A bank's price: its spread grows with prices. */
  const posted = (value: number, step: number, spread: number) => {
    const sell = roundTo(value, step * tick)
    return { buy: roundTo(sell - spread * dollar, tick), sell }
  }
  const bnaDollar = posted(retail * 1.016, 5, 50)
  const a3500On = (day: Day) => 1518 * slow('dollar', dayStart(day) + 15 * HOUR_MS)

  return {
    now: instant,
    today,
    lastClose: bankDayBefore(today),
    oficial: { buy: wholesale * 0.986, sell: wholesale * 1.014 },
    bna: bnaDollar,
    blue: posted(blue, 5, 20),
    mayorista: posted(wholesale, 0.5, 9),
    a3500: a3500On(bankDayBefore(today)),
    mep,
    ccl,
    cripto: { buy: cripto * 0.996, sell: cripto * 1.004 },
    carry: 1.017,
    eurUsd,
    brlPerUsd: 5.3 * (1 + 0.004 * noise('brl', step, 2 * DAY_MS)) * traded('brl'),
    clpPerUsd: 930 * (1 + 0.004 * noise('clp', step, 2 * DAY_MS)) * traded('clp'),
    uyuPerUsd: 40.4 * (1 + 0.003 * noise('uyu', step, 2 * DAY_MS)) * traded('uyu'),
    bnaEuro: posted(bnaDollar.sell * 1.16, 1, 96),
    bnaReal: posted(bnaDollar.sell / 5.2, 1, 15),
    riesgo: riesgoAt(Math.floor(step / (15 * MINUTE_MS)) * 15 * MINUTE_MS),
    cer: cerOn,
    uva: uvaOn,
    a3500On,
    on: (day) => marketAt(dayEnd(day), { seed, stepMs }),
  }

  function riesgoAt(at: Instant): number {
    const [weeks, days] = [noise('riesgo', at, 60 * DAY_MS), noise('riesgo', at, 3 * DAY_MS)]
    return Math.round(640 + 160 * weeks + 30 * days)
  }
}

function roundTo(value: number, step: number): number {
  return Math.round(value / step) * step
}
