import * as z from 'zod/mini'
import { ALWAYS } from '../../../shared/market/market-hours.ts'
import { BELO_PRICES } from './addresses.ts'
import { JSON_HEADERS } from './parsing/browser.ts'
import { parseJson } from './parsing/json.ts'
import { priceText } from './parsing/number-text.ts'
import { emptyError, formatError } from './parsing/source-error.ts'
import type { Source } from './source.ts'

const payload = z.array(z.object({ pairCode: z.string(), ask: z.string(), bid: z.string() }))

/** One exchange's USDT in pesos; prices are texts with decimal point. */
export const belo: Source = {
  name: 'belo',
  rhythm: { everyMinutes: 5, hours: ALWAYS },
  request: () => ({ url: BELO_PRICES, headers: JSON_HEADERS }),
  parse(body) {
    const rows = parseJson(body, payload).filter((row) => row.pairCode === 'USDT/ARS')
    const [row] = rows
    if (!row) throw emptyError('has no USDT/ARS')
    if (rows.length > 1) throw formatError('has USDT/ARS twice')

    const [buy, sell] = [priceText(row.bid, 'point'), priceText(row.ask, 'point')]
    return [{ kind: 'quote', pair: 'USD/CRIPTO', buy, sell }]
  },
}
