import * as z from 'zod/mini'
import { QUOTE_HOURS } from '../../../shared/market/market-hours.ts'
import { BLUELYTICS } from './addresses.ts'
import { JSON_HEADERS } from './parsing/browser.ts'
import { parseJson } from './parsing/json.ts'
import { requirePrice } from './parsing/number-text.ts'
import type { Source } from './source.ts'

const payload = z.object({
  blue: z.object({ value_buy: z.number(), value_sell: z.number() }),
  last_update: z.string(),
})

/** The mean of three newspapers' blue. Its euro is 7 % low and is not read. */
export const bluelytics: Source = {
  name: 'bluelytics',
  rhythm: { everyMinutes: 15, hours: QUOTE_HOURS },
  request: () => ({ url: BLUELYTICS, headers: JSON_HEADERS }),
  parse(body) {
    const { blue, last_update: stamp } = parseJson(body, payload)
    const [buy, sell] = [requirePrice(blue.value_buy), requirePrice(blue.value_sell)]
    return [{ kind: 'quote', pair: 'USD/BLUE', buy, sell, stamp }]
  },
}
