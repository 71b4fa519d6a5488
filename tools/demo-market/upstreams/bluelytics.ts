import { formatArgentine } from '../../../shared/argentine-time.ts'
import type { Sides } from '../market.ts'
import { jsonUpstream } from '../upstream.ts'
import { cut } from '../writing.ts'

/** Its euro is as wrong as the real one, 7 % low: nothing may read it. */
export const bluelytics = jsonUpstream('api.bluelytics.com.ar', ({ pathname }, market) => {
  if (pathname !== '/v2/latest') return null

  const { oficial, blue, now } = market
  return {
    oficial: values(oficial, 1),
    blue: values(blue, 1),
    oficial_euro: values(oficial, 1.087),
    blue_euro: values(blue, 1.087),
    last_update: formatArgentine(now),
  }
})

function values({ buy, sell }: Sides, factor: number) {
  return {
    value_avg: cut(((buy + sell) / 2) * factor),
    value_sell: cut(sell * factor),
    value_buy: cut(buy * factor),
  }
}
