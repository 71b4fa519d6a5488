import { findPairByKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { env } from './env.ts'
import { insertRows } from '../../tools/prove/harness/rows.ts'

const SELLS = ['open', 'high', 'low', 'close']
const BUYS = ['buy', 'buy_open', 'buy_high', 'buy_low']

/** Stores the closes of a pair's days with a change, `[day, buy, sell]`, as candles that stood still. */
export async function seedCloses(
  key: string,
  ...days: readonly (readonly [day: string, buy: number, sell: number])[]
): Promise<void> {
  const pair = findPairByKey(key)!.id
  await env.DB.prepare(
    insertRows(
      'daily_candles',
      {
        pair: '?1',
        day: 'value ->> 0',
        ...Object.fromEntries(SELLS.map((column) => [column, 'value ->> 2'])),
        ...Object.fromEntries(BUYS.map((column) => [column, 'value ->> 1'])),
      },
      `from json_each(?2) where true
       on conflict (pair, day) do update set close = excluded.close, buy = excluded.buy`,
    ),
  )
    .bind(
      pair,
      JSON.stringify(
        days.map(([day, buy, sell]) => [day, numberToPrice(buy), numberToPrice(sell)]),
      ),
    )
    .run()
}
