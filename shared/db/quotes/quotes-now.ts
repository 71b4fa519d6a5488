/**
 * The values in effect by this clock. For a row of the future either the clock that wrote it was wrong
 * or this one is. So the row is neither used nor changed; the points decide, as in a dated read.
 */
import type { Instant } from '../../argentine-time.ts'
import { type Pair, PAIRS } from '../../market/catalog.ts'
import type { Price } from '../../market/price.ts'
import { startOfDaySql } from '../start-of-day-sql.ts'
import { LAST_SCRAPED } from './last-scraped.ts'
import type { CurrentQuote, CurrentQuoteRow } from './quotes.ts'

export interface QuotesNow {
  /** Of every quoted pair with a value by now, in catalogue order; none of their instants is later. */
  quotes: CurrentQuote[]
  /**
   * The last point of each pair that has points from an import but was never quoted. It counts as
   * confirmed until the import's coverage ends, for only changes are points.
   */
  begun: CurrentQuote[]
  /** Pairs whose current row is of the future. Nothing is recorded of them until it is past. */
  ahead: Pair[]
}

const EVERY_PAIR = JSON.stringify(PAIRS.map(({ id }) => id))

/** For a batch; `quotesNow` reads its result. */
export function quotesNowStatement(db: D1Database, now: Instant): D1PreparedStatement {
  return db.prepare(QUOTES).bind(EVERY_PAIR, now)
}

export function quotesNow({ results }: D1Result, now: Instant): QuotesNow {
  const found: QuotesNow = { quotes: [], begun: [], ahead: [] }
  const rows = new Map((results as Row[]).map((row) => [row.pair, row]))

  for (const pair of PAIRS) {
    const { point, ...row } = rows.get(pair.id)!
    const last = point === null ? [] : [quoteOf(pair, point)]
    if (row.updatedAt === null) found.begun.push(...last)
    else if (row.updatedAt > now) {
      found.ahead.push(pair)
      found.quotes.push(...last.map(seenWhenNew))
    } else {
      const quote = { ...(row as CurrentQuoteRow), pair }
      found.quotes.push(quote.lastScrapedAt > now ? seenWhenNew(quote) : quote)
    }
  }
  return found
}

/** A pair of the catalogue, with its current row or with nulls. */
type Row = Pick<CurrentQuoteRow, 'pair'> &
  (CurrentQuoteRow | { updatedAt: null }) & {
    /** JSON of the last point by now, when there is no row or one of the future. */
    point: string | null
  }

function quoteOf(pair: Pair, point: string): CurrentQuote {
  const [updatedAt, buy, sell, source, referenceSell, coveredUntil] = JSON.parse(point) as [
    Instant,
    Price,
    Price,
    string,
    Price | null,
    Instant | null,
  ]
  const lastScrapedAt = Math.max(updatedAt, coveredUntil ?? updatedAt)
  return { pair, buy, sell, source, updatedAt, lastScrapedAt, referenceSell }
}

/** A later confirmation comes from a wrong clock. */
function seenWhenNew(quote: CurrentQuote): CurrentQuote {
  return { ...quote, lastScrapedAt: quote.updatedAt }
}

/** Reads one row a pair, one of all, and a few points of pairs without a row or with one of the future. */
const QUOTES = `
  select asked.value as pair, q.buy, q.sell, q.source, q.updated_at as updatedAt,
    ${LAST_SCRAPED} as lastScrapedAt, q.reference_sell as referenceSell,
    case when q.pair is null or q.updated_at > ?2 then (
      select json_array(p.at, p.buy, p.sell, p.source,
        (select sell from points where pair = p.pair and at < ${startOfDaySql('p.at')}
          order by at desc limit 1),
        (select max(min(to_at, ?2)) from import_coverage where pair = p.pair and from_at <= ?2))
      from points as p where p.pair = asked.value and p.at <= ?2 order by p.at desc limit 1)
    end as point
  from json_each(?1) as asked left join current_quotes as q on q.pair = asked.value`
