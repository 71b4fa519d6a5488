import type { Instant } from '../../../shared/argentine-time.ts'
import { pairById } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'
import type { CurrentQuote } from '../../../shared/db/quotes/quotes.ts'
import { startOfDaySql } from '../../../shared/db/start-of-day-sql.ts'
import { EVERY_PAIR } from '../../../shared/db/every-pair.ts'

/**
 * The last point of each pair that has imported points but was never quoted. It counts as confirmed
 * until the import's coverage ends, because only changes are points. For a batch; `begunQuotes`
 * reads its result.
 */
export function begunStatement(db: D1Database, now: Instant): D1PreparedStatement {
  return db
    .prepare(
      `select p.pair, p.at as updatedAt, p.buy, p.sell, p.source,
         (select sell from points where pair = p.pair and at < ${startOfDaySql('p.at')}
           order by at desc limit 1) as referenceSell,
         (select max(min(to_at, ?2)) from import_coverage
           where pair = p.pair and from_at <= ?2) as coveredUntil
       from json_each(?1) as requested join points as p on p.pair = requested.value
         and p.at = (select max(at) from points where pair = requested.value)
       where not exists (select 1 from current_quotes where pair = requested.value)`,
    )
    .bind(EVERY_PAIR, now)
}

/** In catalogue order. */
export function begunQuotes({ results }: D1Result): CurrentQuote[] {
  return (results as Row[]).map(({ pair, coveredUntil, ...row }) => ({
    ...row,
    pair: pairById(pair)!,
    lastScrapedAt: Math.max(row.updatedAt, coveredUntil ?? row.updatedAt),
  }))
}

interface Row {
  pair: number
  updatedAt: Instant
  buy: Price
  sell: Price
  source: string
  referenceSell: Price | null
  coveredUntil: Instant | null
}
