import { formatArgentine } from '../../../../shared/argentine-time.ts'
import type { Market, Sides } from '../market.ts'
import { jsonUpstream } from '../upstream.ts'
import { bankDaysFrom, cut } from '../writing.ts'

/** The value of its euro in dollars. Like the real one it is 7 % too low. */
const EURO = 1.087

export const bluelytics = jsonUpstream('api.bluelytics.com.ar', ({ pathname }, market) => {
  if (pathname === '/v2/evolution.json') return evolution(market)
  if (pathname !== '/v2/latest') return null

  const { oficial, blue, now } = market
  return {
    oficial: values(oficial, 1),
    blue: values(blue, 1),
    oficial_euro: values(oficial, EURO),
    blue_euro: values(blue, EURO),
    last_update: formatArgentine(now),
  }
})

function evolution({ today, on }: Market) {
  return bankDaysFrom('2011-01-03', today)
    .toReversed()
    .flatMap((date) => {
      const { oficial, blue } = on(date)
      const row = (source: string, { buy, sell }: Sides, factor = 1) => ({
        date,
        source,
        value_sell: cut(sell * factor),
        value_buy: cut(buy * factor),
      })
      return [
        row('Oficial', oficial),
        row('Blue', blue),
        row('Oficial Euro', oficial, EURO),
        row('Blue Euro', blue, EURO),
      ]
    })
}

function values({ buy, sell }: Sides, factor: number) {
  return {
    value_avg: cut(((buy + sell) / 2) * factor),
    value_sell: cut(sell * factor),
    value_buy: cut(buy * factor),
  }
}
