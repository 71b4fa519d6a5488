import { findPairByKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { art } from './instant.ts'
import { env } from './env.ts'

/** Stores points of a pair, `[wall clock, buy, sell, source]`, as live recording would. */
export async function seedPoints(
  key: string,
  ...points: [at: string, buy: number, sell: number, source?: string][]
): Promise<void> {
  const pair = findPairByKey(key)!.id
  const insert = env.DB.prepare('insert into points values (?, ?, ?, ?, ?)')

  await env.DB.batch(
    points.map(([at, buy, sell, source = 'test']) =>
      insert.bind(pair, art(at), numberToPrice(buy), numberToPrice(sell), source),
    ),
  )
}

interface StoredPoint {
  pair: number
  at: number
  /** As stored, in ten-thousandths. */
  buy: number
  sell: number
}

/** Makes these the only points, and leaves no candle. */
export async function setPoints(points: readonly StoredPoint[]): Promise<void> {
  const rows = points.map(({ pair, at, buy, sell }) => [pair, at, buy, sell])
  await env.DB.batch([
    env.DB.prepare('delete from points'),
    env.DB.prepare('delete from daily_candles'),
    env.DB.prepare(
      `insert into points (pair, at, buy, sell, source)
       select value ->> 0, value ->> 1, value ->> 2, value ->> 3, 'test' from json_each(?)`,
    ).bind(JSON.stringify(rows)),
  ])
}
