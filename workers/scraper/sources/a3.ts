import * as z from 'zod/mini'
import type { Hours } from '../../../shared/market/market-hours.ts'
import { a3Address, lastDays } from './addresses.ts'
import { JSON_HEADERS } from './parsing/browser.ts'
import { contractMonth } from './parsing/contract-month.ts'
import { isoDay } from './parsing/dates.ts'
import { parseJson } from './parsing/json.ts'
import { positiveOrNull } from './parsing/number-text.ts'
import { emptyError } from './parsing/source-error.ts'
import type { Reading, Source } from './source.ts'

const payload = z.object({
  data: z.array(
    z.object({
      symbol: z.string(),
      dateTime: z.string(),
      settlement: z.nullish(z.number()),
      close: z.nullish(z.number()),
    }),
  ),
})

/** The settlement of a session appears overnight. */
const MORNING: Hours = { days: 'market', windows: [[6 * 60, 10 * 60]] }

/**
 * Closing prices of the dollar futures. `dateTime` is the trade date at 00:00Z, not an instant.
 * Symbols that are not `DLRMMYYYY` (options, spreads) are passed over.
 */
export const a3: Source = {
  name: 'a3-dlr',
  rhythm: { everyMinutes: 60, hours: MORNING },
  request(now) {
    const { from, to } = lastDays(now)
    return { url: a3Address(from, to), headers: JSON_HEADERS }
  },
  parse(body) {
    const readings = parseJson(body, payload).data.flatMap((row): Reading[] => {
      const month = /^DLR\d{6}$/.test(row.symbol) ? contractMonth(row.symbol) : null
      const price = positiveOrNull(row.settlement) ?? positiveOrNull(row.close)
      if (month === null || price === null) return []

      return [{ kind: 'future', month, buy: price, sell: price, day: isoDay(row.dateTime) }]
    })
    if (readings.length === 0) throw emptyError('holds no settlement')

    return readings
  },
}
