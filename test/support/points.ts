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
