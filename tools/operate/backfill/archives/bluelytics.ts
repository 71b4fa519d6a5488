import * as z from 'zod/mini'
import { type Archive, parseDocument } from '../archive.ts'

const payload = z.array(
  z.object({
    date: z.string(),
    source: z.string(),
    value_buy: z.unknown(),
    value_sell: z.unknown(),
  }),
)

/** Everything in one document, newest first. Its blue is a mean of newspapers. */
export const bluelytics: Archive = {
  name: 'bluelytics',
  source: () => 'import:bluelytics',
  addresses: () => ['https://api.bluelytics.com.ar/v2/evolution.json'],
  read: (body, key) =>
    parseDocument(body, payload).flatMap(({ date, source, value_buy, value_sell }) =>
      source === key ? [{ day: date.slice(0, 10), buy: value_buy, sell: value_sell }] : [],
    ),
}
