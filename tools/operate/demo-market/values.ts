/** What the documents print: the market's prices, and what follows from them. */
import {
  addDays,
  argentineDay,
  DAY_MS,
  formatArgentine,
  formatUtc,
  type Instant,
} from '../../../shared/argentine-time.ts'
import { bankDayBefore } from '../../../shared/market/holidays.ts'
import {
  around,
  cerOn,
  contractsOf,
  crossesOf,
  type Market,
  marketOfTable,
  MONTHS,
  times,
  uvaOn,
  wholesaleRates,
} from './market.ts'

export function valuesOf(market: Market) {
  const { bna, today, a3500On } = market
  const lastClose = bankDayBefore(today)
  const crosses = crossesOf(market)
  const table = marketOfTable(market)
  const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)]
  return {
    ...market,
    yesterday,
    tomorrow,
    lastClose,
    crosses,
    time: timesOf(market.now),
    uva: uvaOn(today),
    yesterdayUva: uvaOn(yesterday),
    tomorrowUva: uvaOn(tomorrow),
    cer: cerOn(today),
    tarjeta: times(bna, 1.3),
    /** Ámbito adds the tax to the sell alone. */
    turista: { buy: bna.buy, sell: bna.sell * 1.3 },
    euro: crosses.EUR,
    real: crosses.BRL,
    bnaHundredReals: times(market.bnaReal, 100),
    a3500: a3500On(lastClose),
    bonds: { ...legs('AL30', 54, market), ...legs('GD30', 56.5, market) },
    contracts: contractsOf(market),
    table: { rows: wholesaleRates(table), ...timesOf(table.now) },
  }
}

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

/** The legs of a bond, which give MEP and CCL: prices for 100 nominals. */
function legs(symbol: string, dollars: number, { mep, ccl }: Market) {
  const pesos = (dollars * (mep.buy + mep.sell)) / 2
  return {
    [symbol]: book(pesos, 0.0004),
    [`${symbol}D`]: book(dollars, 0.0002),
    [`${symbol}C`]: book(pesos / ccl.sell, 0.012),
  }
}

function book(last: number, spread: number) {
  const { buy: bid, sell: ask } = around(last, spread)
  return { last, bid, ask }
}
