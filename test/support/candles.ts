import { findPairByKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { env } from './env.ts'

/** Stores the closes of a pair's days with a change, `[day, buy, sell]`, as candles that stood still. */
export async function seedCloses(
  key: string,
  ...days: readonly (readonly [day: string, buy: number, sell: number])[]
): Promise<void> {
  const pair = findPairByKey(key)!.id
  await env.DB.prepare(
    `insert into daily_candles (pair, day, open, high, low, close, buy)
     select ?1, value ->> 0, value ->> 2, value ->> 2, value ->> 2, value ->> 2, value ->> 1
     from json_each(?2) where true
     on conflict (pair, day) do update set close = excluded.close, buy = excluded.buy`,
  )
    .bind(
      pair,
      JSON.stringify(
        days.map(([day, buy, sell]) => [day, numberToPrice(buy), numberToPrice(sell)]),
      ),
    )
    .run()
}
