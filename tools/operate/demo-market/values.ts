/** What the documents print: the market's prices, and what follows from them. */
import {
  addDays,
  argentineDay,
  DAY_MS,
  type Day,
  formatArgentine,
  formatUtc,
  type Instant,
} from '../../../shared/argentine-time.ts'
import { bankDayBefore } from '../../../shared/market/holidays.ts'
import { type Market, type Sides, times } from './market.ts'

/** How much of a dollar Bluelytics takes a euro for. Like the real one it is 7 % too low. */
const LOW_EURO = 1.087

export type Values = ReturnType<typeof valuesOf>

export function valuesOf(market: Market) {
  const { bna, oficial, blue, mayorista, eurUsd, brlPerUsd, clpPerUsd, uyuPerUsd } = market
  const { today, lastClose, a3500 } = market
  const closing = market.on(lastClose)
  return {
    ...market,
    yesterday: addDays(today, -1),
    tomorrow: addDays(today, 1),
    time: timesOf(market.now),
    uva: {
      yesterday: market.uva(addDays(today, -1)),
      today: market.uva(today),
      tomorrow: market.uva(addDays(today, 1)),
    },
    cer: { today: market.cer(today) },
    tarjeta: times(bna, 1.3),
    /** Ámbito adds the tax to the sell alone. */
    turista: { buy: bna.buy, sell: bna.sell * 1.3 },
    euro: times(mayorista, eurUsd),
    euroBlue: times(blue, 1.16),
    real: times(mayorista, 1 / brlPerUsd),
    lowEuro: times(oficial, LOW_EURO),
    lowEuroBlue: times(blue, LOW_EURO),
    bnaHundredReals: times(market.bnaReal, 100),
    /** A bank that has not spoken for months. */
    silentBank: times(oficial, 0.94),
    /** IOL's crosses, which dolarapi repeats. */
    crosses: {
      EUR: times(mayorista, eurUsd),
      BRL: times(mayorista, 1 / brlPerUsd),
      CLP: bothSides(mayorista.sell / clpPerUsd),
      UYU: bothSides(mayorista.sell / uyuPerUsd),
    },
    close: {
      EUR: { dollars: eurUsd, pesos: a3500 * eurUsd },
      BRL: { dollars: 1 / brlPerUsd, pesos: a3500 / brlPerUsd },
      CLP: { dollars: 1 / clpPerUsd, pesos: a3500 / clpPerUsd },
      UYU: { dollars: 1 / uyuPerUsd, pesos: a3500 / uyuPerUsd },
      REF: { pesos: a3500 },
      USD: { pesos: a3500 - 1 },
    },
    closingPtax: closing.brlPerUsd,
    closingClp: closing.clpPerUsd,
    uyuPerClp: uyuPerUsd / clpPerUsd,
    offers: offersOf(market.cripto),
    bonds: bondsOf(market),
    contracts: contractsOf(market),
    table: wholesaleTable(market.lastTable()),
  }
}

const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  )

function timesOf(now: Instant) {
  const argentine = formatArgentine(now)
  const [year, month, date] = argentineDay(now).split('-') as [string, string, string]
  return {
    now,
    argentine,
    utc: formatUtc(now),
    seconds: Math.floor(now / 1000),
    monthsAgo: Math.floor((now - 150 * DAY_MS) / 1000),
    clock: argentine.slice(11, 16),
    longClock: argentine.slice(11, 19),
    date: `${date}/${month}/${year}`,
    dashed: `${date}-${month}-${year}`,
    shortYear: `${date}/${month}/${year.slice(2)}`,
    shortDate: `${Number(date)}/${Number(month)}/${year}`,
    longDate: `${Number(date)} de ${MONTHS[Number(month) - 1]} de ${year}`,
  }
}

/** Five exchanges around the market: `totalAsk` and `totalBid` have their fee in them. */
function offersOf({ buy, sell }: Sides) {
  return {
    fiwind: offer(sell * 0.999, buy * 1.001, 0.001),
    belo: offer(sell, buy, 0),
    buenbit: offer(sell * 1.003, buy * 0.997, 0.001),
    ripio: offer(sell * 1.001, buy * 0.999, 0),
    binancep2p: offer(sell * 0.998, buy * 1.002, 0),
  }
}

function offer(ask: number, bid: number, fee: number) {
  return { ask, totalAsk: ask * (1 + fee), bid, totalBid: bid * (1 - fee) }
}

/** The two bonds whose legs give MEP and CCL, prices for 100 nominals. */
function bondsOf({ mep, ccl }: Market) {
  return { ...legs('AL30', 54, mep, ccl), ...legs('GD30', 56.5, mep * 1.001, ccl * 1.001) }
}

function legs(symbol: string, dollars: number, mep: number, ccl: number) {
  const pesos = dollars * mep
  return {
    [symbol]: book(pesos, 0.0004),
    [`${symbol}D`]: book(dollars, 0.0002),
    [`${symbol}C`]: book(pesos / ccl, 0.012),
  }
}

function book(last: number, spread: number) {
  return { last, bid: last * (1 - spread / 2), ask: last * (1 + spread / 2) }
}

/** The next four contracts, the front one first: it expires on the last bank day of its month. */
function contractsOf({ today, mayorista, carry }: Market) {
  const expired = today > bankDayBefore(nextMonth(today))
  let month = expired ? nextMonth(today) : today
  return Array.from({ length: 4 }, (_, index) => {
    const [year, number] = month.split('-') as [string, string]
    month = nextMonth(month)
    const name = MONTHS[Number(number) - 1]!
    const price = Math.round(mayorista.sell * carry ** (index + 0.5) * 2) / 2
    return {
      name: `${name[0]!.toUpperCase()}${name.slice(1)} ${year}`,
      symbol: `DLR${number}${year}`,
      price,
      buy: price - 0.5,
      sell: price + 0.5,
    }
  })
}

/** The first day of the month after a day's. */
function nextMonth(day: Day): Day {
  return `${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
}

/** The currencies of the bank's wholesale table, with the dollars that one is worth here. */
const CROSSES: readonly (readonly [currency: string, units: number, dollars: number])[] = [
  ['USD', 1, 1],
  ['GBP', 1, 1.354],
  ['EUR', 1, Number.NaN],
  ['CHF', 100, 1.239],
  ['JPY', 100, 0.00643],
  ['CAD', 100, 0.7234],
  ['DKK', 100, 0.1556],
  ['NOK', 100, 0.1079],
  ['SEK', 100, 0.1049],
  ['CNY', 100, 0.1466],
  ['AUD', 1, 0.7201],
]

/** The bank's wholesale table as it prints it. */
export function wholesaleTable({ mayorista, eurUsd, now }: Market) {
  const rows = CROSSES.map(([currency, units, dollars]) => {
    const { buy, sell } = times(mayorista, units * (currency === 'EUR' ? eurUsd : dollars))
    return { currency, units, buy, sell }
  })
  return { rows, ...timesOf(now) }
}

export function bothSides(value: number): Sides {
  return { buy: value, sell: value }
}
