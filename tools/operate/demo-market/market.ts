/**
 * One simulated market for all upstreams, so that they agree as real ones do. Its prices are
 * invented floating-point numbers; exact decimals begin at the parsers.
 */
import {
  addDays,
  argentineDay,
  type Day,
  DAY_MS,
  daysBetween,
  dayStart,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { bankDayBefore, isBankDay, uvaDayBefore } from '../../../shared/market/holidays.ts'
import { MONTHS } from '../../../shared/market/spanish-text.ts'
import { hashed } from '../../support/random.ts'

export interface Sides {
  buy: number
  sell: number
}

/** Traded prices move once in each tick of this length, also in the past. */
export const TICK_MS = 5 * MINUTE_MS

export type Market = ReturnType<typeof marketAt>

/** The monthly growth of the dollar's price, and the instant of its base value. */
const MONTHLY_GROWTH = 1.018
const BASE_AT = Date.parse('2026-11-01T03:00:00Z')
const MONTH_MS = 30.44 * DAY_MS

/**
 * The market at an instant: each pair by its key, and the other values in the documents. Traded
 * prices move in every tick, the blue dollar in every second tick, banks' prices a few times a day,
 * indices once a day. No tick moves a price by more than a few tenths of a percent.
 */
export function marketAt(instant: Instant, tickMs = TICK_MS) {
  const tick = startOf(tickMs, instant)
  const today = argentineDay(instant)
  const traded = (name: string) => 1 + 0.0006 * noise(`${name}-step`, tick, tickMs)
  const rate = (name: string, value: number) =>
    value * (1 + 0.004 * noise(name, tick, 2 * DAY_MS)) * traded(name)

  const dollar = dollarAt(tick)
  /** How much dearer the free dollar is than the official dollar. */
  const gap = 0.045 + 0.006 * noise('gap', tick, DAY_MS)
  const wholesale = dollar * traded('mayorista')
  const mep = dollar * (1 + gap * 0.6) * traded('mep')
  const cripto = mep * (1.012 + 0.002 * noise('cripto', tick, HOUR_MS)) * traded('cripto')

  const bna = posted(dollarAt(startOf(3 * HOUR_MS, tick)) * 1.016, 5, 50)
  // The blue dollar moves up or down every second tick, by typical amounts.
  const swing = [0, 5, 10, 5][Math.floor(tick / (2 * tickMs)) % 4]!
  const blue = posted(dollarAt(startOf(20 * MINUTE_MS, tick)) * (1 + gap * 0.5) + swing, 5, 20)
  const mayorista = posted(wholesale, 0.5, 9)
  const dollars = {
    EUR: rate('eur', 1.16),
    BRL: 1 / rate('brl', 5.3),
    CLP: 1 / rate('clp', 930),
    UYU: 1 / rate('uyu', 40.4),
  }
  const one = (rate: number) => around(mayorista.sell * rate, 0)
  const quarter = startOf(15 * MINUTE_MS, tick)
  const riesgo =
    640 + 160 * noise('riesgo', quarter, 60 * DAY_MS) + 30 * noise('riesgo', quarter, 3 * DAY_MS)
  const contracts = contractsOf(today, mayorista)
  const quotes = {
    'USD/OFICIAL': around(wholesale, 0.028),
    'USD/BNA': bna,
    'USD/BLUE': blue,
    'USD/MAYORISTA': mayorista,
    'USD/BOLSA': around(mep, 0.0006),
    'USD/CCL': around(mep * (1.042 + 0.003 * noise('ccl', tick, DAY_MS)) * traded('ccl'), 0),
    'USD/CRIPTO': around(cripto, 0.008),
    'USD/TARJETA': times(bna, 1.3),
    'USD/FUTURO': contracts[0]!,
    // These pairs are not simulated separately: they are crosses of the wholesale dollar.
    'EUR/OFICIAL': times(mayorista, dollars.EUR),
    'BRL/OFICIAL': times(mayorista, dollars.BRL),
    'CLP/OFICIAL': one(dollars.CLP),
    'UYU/OFICIAL': one(dollars.UYU),
    'EUR/BNA': posted(bna.sell * 1.16, 1, 96),
    'EUR/BLUE': times(blue, 1.16),
    // Pesos per real. The bank's page prints the price of 100 reais.
    'BRL/BNA': posted(bna.sell / 5.2, 1, 15),
    'ARG/RIESGO': around(Math.round(riesgo), 0),
    'ARG/CER': around(cerOn(today), 0),
    'ARG/UVA': around(uvaOn(today), 0),
  } satisfies Partial<Record<PairKey, Sides>>
  return {
    ...quotes,
    now: instant,
    today,
    dollars,
    contracts,
  }
}

/** Pesos per dollar: the long growth, with slow noise of weeks, days and hours. */
function dollarAt(at: Instant): number {
  const waves =
    0.04 * noise('dollar', at, 45 * DAY_MS) +
    0.012 * noise('dollar', at, 5 * DAY_MS) +
    0.003 * noise('dollar', at, 6 * HOUR_MS)
  return 1520 * MONTHLY_GROWTH ** ((at - BASE_AT) / MONTH_MS) * (1 + waves)
}

/** The wholesale reference of a day's close (A 3500). */
export function a3500On(day: Day): number {
  return dollarAt(dayStart(day) + 15 * HOUR_MS)
}

/** Monthly carry of the futures, as a factor. */
const CARRY = 1.017

/** The next four contracts, soonest first. A contract expires on the last bank day of its month. */
function contractsOf(today: Day, mayorista: Sides) {
  const expired = today > bankDayBefore(nextMonth(today))
  let month = expired ? nextMonth(today) : today
  return Array.from({ length: 4 }, (_, index) => {
    const [year, number] = month.split('-') as [string, string]
    month = nextMonth(month)
    const name = MONTHS[Number(number) - 1]!
    const price = roundTo(mayorista.sell * CARRY ** (index + 0.5), 0.5)
    return {
      name: `${name[0]!.toUpperCase()}${name.slice(1)} ${year}`,
      symbol: `DLR${number}${year}`,
      price,
      buy: price - 0.5,
      sell: price + 0.5,
    }
  })
}

/** The first day of the next month. */
function nextMonth(day: Day): Day {
  return `${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
}

/** The bank's wholesale table: currency, title, units, and dollars per unit. */
const TABLE = [
  ['USD', 'Dolar U.S.A', 1, 1],
  ['GBP', 'Libra Esterlina', 1, 1.354],
  ['EUR', 'Euro', 1, undefined],
  ['CHF', 'Franco Suizos *', 100, 1.239],
  ['JPY', 'YENES *', 100, 0.00643],
  ['CAD', 'Dolares Canadienses *', 100, 0.7234],
  ['DKK', 'Coronas Danesas *', 100, 0.1556],
  ['NOK', 'Coronas Noruegas *', 100, 0.1079],
  ['SEK', 'Coronas Suecas *', 100, 0.1049],
  ['CNY', 'Yuan *', 100, 0.1466],
  ['AUD', 'Dolar Australiano', 1, 0.7201],
] as const

export function wholesaleRates({ 'USD/MAYORISTA': mayorista, dollars: { EUR } }: Market) {
  return TABLE.map(([currency, title, units, dollars = EUR]) => ({
    currency,
    title,
    units,
    ...times(mayorista, units * dollars),
  }))
}

/** When the bank prints its last wholesale table of a day, which has the closing rates. */
export function tableClose(day: Day): Instant {
  return dayStart(day) + 17 * HOUR_MS
}

/** The market of the bank's latest table. The bank prints on bank days, from 10:00 to the close. */
export function marketOfTable({ now, today }: Market): Market {
  const isOut = isBankDay(today) && now >= dayStart(today) + 10 * HOUR_MS
  const at = isOut ? Math.min(now, tableClose(today)) : tableClose(bankDayBefore(today))
  return marketAt(at)
}

export function times({ buy, sell }: Sides, factor: number): Sides {
  return { buy: buy * factor, sell: sell * factor }
}

/** Buy and sell prices around a value. `spread` is their distance as a share of the value. */
export function around(value: number, spread: number): Sides {
  return { buy: value * (1 - spread / 2), sell: value * (1 + spread / 2) }
}

/** Rounds the sell price to `unit`, with the buy price `spread` pesos below, as banks do. */
function posted(value: number, unit: number, spread: number): Sides {
  const sell = roundTo(value, unit)
  return { buy: sell - spread, sell }
}

function startOf(period: number, at: Instant): Instant {
  return Math.floor(at / period) * period
}

function roundTo(value: number, unit: number): number {
  return Math.round(value / unit) * unit
}

/** Base values of both indices, and the daily growth that leads to the CER of 15 October 2026. */
const BASE_DAY = '2016-03-31'
const BASE_CER = 5.5636
const BASE_UVA = 14.05
const DAILY_GROWTH = (854.45861540882 / BASE_CER) ** (1 / daysBetween(BASE_DAY, '2026-10-15'))

export function cerOn(day: Day): number {
  return BASE_CER * DAILY_GROWTH ** daysBetween(BASE_DAY, day)
}

/** UVA follows the CER of the previous bank day, so it does not change over weekends. */
export function uvaOn(day: Day): number {
  return (BASE_UVA * cerOn(uvaDayBefore(day))) / BASE_CER
}

const SEED = 7

/**
 * Numbers from −1 to 1 that move smoothly within each `period` of milliseconds. They depend only on
 * the arguments, so a restarted market continues with the same prices.
 */
function noise(name: string, instant: number, period: number): number {
  const index = Math.floor(instant / period)
  const share = instant / period - index
  const from = scaled(`${SEED}|${name}|${period}|${index}`)
  const to = scaled(`${SEED}|${name}|${period}|${index + 1}`)
  return from + (to - from) * share * share * (3 - 2 * share)
}

/** A well-mixed hash, scaled to −1…1. */
function scaled(text: string): number {
  let hash = hashed(text)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x7fffffff - 1
}
