import { addDays, type Day } from '../../../../shared/argentine-time.ts'
import { bankDayBefore } from '../../../../shared/market/holidays.ts'
import type { Market } from '../market.ts'
import { MONTHS } from '../writing.ts'
import { jsonUpstream } from '../upstream.ts'

/** The next four contracts, the front one first: it expires on the last bank day of its month. */
export function contracts({ today, mayorista, carry }: Market) {
  let month = today.slice(0, 7)
  if (today > bankDayBefore(nextMonth(month))) month = nextMonth(month).slice(0, 7)

  return Array.from({ length: 4 }, (_, index) => {
    const [year, number] = month.split('-') as [string, string]
    const name = MONTHS[Number(number) - 1]!
    month = nextMonth(month).slice(0, 7)
    return {
      /** `Septiembre 2026` */
      name: `${name[0]!.toUpperCase()}${name.slice(1)} ${year}`,
      /** `DLR092026` */
      symbol: `DLR${number}${year}`,
      price: Math.round(mayorista.sell * carry ** (index + 0.5) * 2) / 2,
    }
  })
}

function nextMonth(month: string): Day {
  return `${addDays(`${month}-28`, 4).slice(0, 7)}-01`
}

/** Settlements of the last session; `dateTime` is the trade date. */
export const a3 = jsonUpstream('apicem.matbarofex.com.ar', ({ pathname }, market) =>
  pathname === '/api/v2/closing-prices'
    ? {
        data: contracts(market).map(({ symbol, price }) => ({
          symbol,
          dateTime: `${market.lastClose}T00:00:00.000Z`,
          close: price,
          settlement: price,
          volume: 300_000,
          openInterest: 900_000,
        })),
      }
    : null,
)
