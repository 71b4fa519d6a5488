/**
 * One simulated market for all upstreams, so that they agree as real ones do. Its prices are
 * invented floating-point numbers; exact decimals begin at the parsers.
 */
import {
  argentineDay,
  type Day,
  DAY_MS,
  dayEnd,
  daysBetween,
  dayStart,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import { bankDayBefore, isBankDay, uvaDayBefore } from '../../../shared/market/holidays.ts'
import { hashed } from '../../support/random.ts'

export interface Sides {
  buy: number
  sell: number
}

type Prices = ReturnType<typeof tradedPrices> &
  ReturnType<typeof postedPrices> &
  ReturnType<typeof foreignRates>

export interface Market extends Prices {
  now: Instant
  today: Day
  /** The last bank day before today, the day of central banks' closing rates. */
  lastClose: Day
  /** The wholesale reference of the last close (A 3500). */
  a3500: number
  /** Monthly carry of the futures, as a factor. */
  carry: number
  riesgo: number
  cer: (day: Day) => number
  uva: (day: Day) => number
  a3500On: (day: Day) => number
  /** The same market at the end of another day. */
  on: (day: Day) => Market
  /** The same market when the bank printed its last wholesale table: from 10:00 to 17:00 now. */
  lastTable: () => Market
}

export interface MarketOptions {
  seed: number
  /** Prices that trade move once in each step. */
  stepMs: number
}

/** The monthly rise of the dollar, and the instant of its base value. */
const MONTHLY_GROWTH = 1.018
const BASE_AT = Date.parse('2026-11-01T03:00:00Z')
const MONTH_MS = 30.44 * DAY_MS

/** Under this part of today's prices, banks round to cents instead of pesos. */
const CENTS_BELOW = 0.3

/** The components of every price at one step. */
type Motion = ReturnType<typeof motionAt>

/**
 * The market at an instant. Traded prices move in every step, banks change theirs a few times a
 * day, indices once a day; a step moves nothing by more than a few tenths of a percent.
 */
export function marketAt(instant: Instant, options: MarketOptions): Market {
  const motion = motionAt(instant, options)
  const today = argentineDay(instant)
  const lastClose = bankDayBefore(today)
  const a3500On = (day: Day) => 1518 * motion.slow('dollar', dayStart(day) + 15 * HOUR_MS)

  return {
    now: instant,
    today,
    lastClose,
    ...tradedPrices(motion, options),
    ...postedPrices(motion),
    ...foreignRates(motion),
    a3500: a3500On(lastClose),
    carry: 1.017,
    riesgo: riesgoOf(motion),
    cer: cerOn,
    uva: uvaOn,
    a3500On,
    on: (day) => marketAt(dayEnd(day), options),
    lastTable: () => marketAt(lastTableAt(instant), options),
  }
}

/** When the bank's wholesale table of a day is its close. */
export function closeOf(day: Day): Instant {
  return dayStart(day) + 17 * HOUR_MS
}

/** The bank prints its wholesale table on its days, from 10:00 to its close. */
function lastTableAt(instant: Instant): Instant {
  const today = argentineDay(instant)
  const isOut = isBankDay(today) && instant >= dayStart(today) + 10 * HOUR_MS
  return isOut ? Math.min(instant, closeOf(today)) : closeOf(bankDayBefore(today))
}

function motionAt(instant: Instant, { seed, stepMs }: MarketOptions) {
  const noise = createNoise(seed)
  const step = startOf(stepMs, instant)
  /** The long rise of prices, with slow noise of weeks, days and hours. */
  const slow = (name: string, at: Instant) =>
    MONTHLY_GROWTH ** ((at - BASE_AT) / MONTH_MS) *
    (1 +
      0.04 * noise(name, at, 45 * DAY_MS) +
      0.012 * noise(name, at, 5 * DAY_MS) +
      0.003 * noise(name, at, 6 * HOUR_MS))
  const traded = (name: string) => 1 + 0.0006 * noise(`${name}-step`, step, stepMs)
  const dollar = slow('dollar', step)
  /** How much dearer the free dollar is than the official one. */
  const gap = 0.045 + 0.006 * noise('gap', step, DAY_MS)
  return { step, noise, slow, traded, dollar, gap, wholesale: 1520 * dollar * traded('mayorista') }
}

function tradedPrices(
  { step, noise, traded, dollar, gap, wholesale }: Motion,
  { stepMs }: MarketOptions,
) {
  const mep = 1520 * dollar * (1 + gap * 0.6) * traded('mep')
  const cripto =
    mep *
    (1.012 + 0.002 * noise('cripto', step, HOUR_MS)) *
    (1 + 0.001 * noise('cripto-step', step, stepMs))
  return {
    oficial: { buy: wholesale * 0.986, sell: wholesale * 1.014 },
    mep,
    ccl: mep * (1.042 + 0.003 * noise('ccl', step, DAY_MS)) * traded('ccl'),
    cripto: { buy: cripto * 0.996, sell: cripto * 1.004 },
  }
}

/** What banks and exchange houses post, rounded. */
function postedPrices({ step, slow, dollar, gap, wholesale }: Motion) {
  const tick = dollar < CENTS_BELOW ? 0.01 : 1
  /** The spread grows with prices. */
  const posted = (value: number, step: number, spread: number): Sides => {
    const sell = roundTo(value, step * tick)
    return { buy: roundTo(sell - spread * dollar, tick), sell }
  }
  const retail = 1520 * slow('dollar', startOf(3 * HOUR_MS, step))
  const blue = 1520 * slow('dollar', startOf(20 * MINUTE_MS, step)) * (1 + gap * 0.5)
  const bna = posted(retail * 1.016, 5, 50)
  return {
    bna,
    blue: posted(blue, 5, 20),
    mayorista: posted(wholesale, 0.5, 9),
    bnaEuro: posted(bna.sell * 1.16, 1, 96),
    // Pesos per real; the bank's table prints a hundred.
    bnaReal: posted(bna.sell / 5.2, 1, 15),
  }
}

function foreignRates({ step, noise, traded }: Motion) {
  return {
    eurUsd: 1.16 * (1 + 0.004 * noise('eur', step, 2 * DAY_MS)) * traded('eur'),
    brlPerUsd: 5.3 * (1 + 0.004 * noise('brl', step, 2 * DAY_MS)) * traded('brl'),
    clpPerUsd: 930 * (1 + 0.004 * noise('clp', step, 2 * DAY_MS)) * traded('clp'),
    uyuPerUsd: 40.4 * (1 + 0.003 * noise('uyu', step, 2 * DAY_MS)) * traded('uyu'),
  }
}

function riesgoOf({ step, noise }: Motion): number {
  const at = startOf(15 * MINUTE_MS, step)
  const [weeks, days] = [noise('riesgo', at, 60 * DAY_MS), noise('riesgo', at, 3 * DAY_MS)]
  return Math.round(640 + 160 * weeks + 30 * days)
}

function startOf(period: number, at: Instant): Instant {
  return Math.floor(at / period) * period
}

function roundTo(value: number, step: number): number {
  return Math.round(value / step) * step
}

export function times({ buy, sell }: Sides, factor: number): Sides {
  return { buy: buy * factor, sell: sell * factor }
}

/** Where both indices start, and the pace that joins it with the CER of 15 October 2026. */
const BASE_DAY = '2016-03-31'
const BASE_CER = 5.5636
const BASE_UVA = 14.05
const DAILY_GROWTH = (854.45861540882 / BASE_CER) ** (1 / daysBetween(BASE_DAY, '2026-10-15'))

function cerOn(day: Day): number {
  return BASE_CER * DAILY_GROWTH ** daysBetween(BASE_DAY, day)
}

/** A document has all days since 2016, and is asked for in every cycle. */
const uvas = new Map<Day, number>()

/** UVA follows the CER of the last bank day before, so that it stands still over weekends. */
function uvaOn(day: Day): number {
  const known = uvas.get(day)
  if (known !== undefined) return known

  const uva = (BASE_UVA * cerOn(uvaDayBefore(day))) / BASE_CER
  uvas.set(day, uva)
  return uva
}

/**
 * Seeded noise without a state: the same seed, name and instant give the same number. So a
 * restarted market continues where it was.
 */
type Noise = (name: string, instant: number, period: number) => number

/**
 * Numbers from −1 to 1 that move smoothly from one value to the next in each `period` of
 * milliseconds.
 */
function createNoise(seed: number): Noise {
  return (name, instant, period) => {
    const step = Math.floor(instant / period)
    const share = instant / period - step
    const from = scaled(`${seed}|${name}|${period}|${step}`)
    const to = scaled(`${seed}|${name}|${period}|${step + 1}`)
    return from + (to - from) * share * share * (3 - 2 * share)
  }
}

/** A hash with a final mix, scaled to −1…1. */
function scaled(text: string): number {
  let hash = hashed(text)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x7fffffff - 1
}
