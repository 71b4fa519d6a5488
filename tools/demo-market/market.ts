/**
 * One simulated market that all upstreams tell of, so that they agree with each other as real ones
 * do. Its prices are inventions and floating: what is exact begins at the parsers.
 */
import {
  argentineDay,
  type Day,
  DAY_MS,
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
}

export interface MarketOptions {
  seed: number
  /** Prices that trade move once in each step. */
  stepMs: number
}

/**
 * The market at an instant. Traded prices move in every step, banks change theirs a few times a
 * day, indices once a day; a step moves nothing by more than a few tenths of a percent.
 */
export function marketAt(instant: Instant, { seed, stepMs }: MarketOptions): Market {
  const noise = createNoise(seed)
  const step = Math.floor(instant / stepMs) * stepMs
  const today = argentineDay(instant)

  /** A factor near 1: the slow mood of days and hours. */
  const slow = (name: string, at: Instant) =>
    1 + 0.012 * noise(name, at, 5 * DAY_MS) + 0.003 * noise(name, at, 6 * HOUR_MS)
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
  const bnaDollar = sides(roundTo(retail * 1.016, 5), 50)

  return {
    now: instant,
    today,
    lastClose: bankDayBefore(today),
    oficial: { buy: wholesale * 0.986, sell: wholesale * 1.014 },
    bna: bnaDollar,
    blue: sides(roundTo(blue, 5), 20),
    mayorista: { buy: Math.round(wholesale * 2) / 2 - 9, sell: Math.round(wholesale * 2) / 2 },
    a3500: 1518 * slow('dollar', Math.floor(step / DAY_MS) * DAY_MS),
    mep,
    ccl,
    cripto: { buy: cripto * 0.996, sell: cripto * 1.004 },
    carry: 1.017,
    eurUsd,
    brlPerUsd: 5.3 * (1 + 0.004 * noise('brl', step, 2 * DAY_MS)) * traded('brl'),
    clpPerUsd: 930 * (1 + 0.004 * noise('clp', step, 2 * DAY_MS)) * traded('clp'),
    uyuPerUsd: 40.4 * (1 + 0.003 * noise('uyu', step, 2 * DAY_MS)) * traded('uyu'),
    bnaEuro: sides(Math.round(bnaDollar.sell * 1.16), 96),
    bnaReal: sides(Math.round(bnaDollar.sell / 5.2), 15),
    riesgo: Math.round(
      540 + 30 * noise('riesgo', Math.floor(step / (15 * MINUTE_MS)) * 15 * MINUTE_MS, 3 * DAY_MS),
    ),
    cer: cerOn,
    uva: uvaOn,
  }
}

function sides(sell: number, spread: number): Sides {
  return { buy: sell - spread, sell }
}

function roundTo(value: number, step: number): number {
  return Math.round(value / step) * step
}
