import { addDays, argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing-tables.ts'
import { type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import { merge, type Merged, type Stored } from '../import/merge.ts'
import { bridged, dayRanges } from '../import/ranges.ts'
import { countChanges, readStored } from '../import/stored.ts'
import { LOCAL_CHUNK, writeMerged } from '../import/write.ts'
import { closeOf, marketAt, type MarketOptions } from './market.ts'
import { PAST_DAYS, type PairRows, pastDays, pastWeek, RECENT_MS } from './past.ts'
import { wholesaleRows } from './upstreams/pages.ts'
import { bankDaysFrom } from './writing.ts'

const TABLES_AT_ONCE = 200

const DAYS = { source: 'import:demo-days', kind: 'daily' } as const
const WEEK = { source: 'import:demo-week', kind: 'timed' } as const

/**
 * Gives a state the demo market's past, by the import's rules. Both parts of a pair are merged
 * before they are written: a batch of the local database costs more than its work. Returns how
 * many points were made.
 */
export async function importPast(
  db: D1Database,
  now: Instant,
  options: MarketOptions,
  signal?: AbortSignal,
): Promise<number> {
  const [days, week] = [pastDays(now, options), pastWeek(now, options)]
  let made = 0
  await importPastTables(db, now, options)

  for (const pair of PAIRS) {
    signal?.throwIfAborted()
    const stored = await readStored(db, pair)
    const merged = withPast(stored, pair, days, week)
    made += countChanges(stored, merged.points).made
    await writeMerged(db, pair, WEEK.kind, stored, merged, { chunkSize: LOCAL_CHUNK, now })
    // The points are written already, so this adds only the coverage of the days.
    const written = { ...stored, points: merged.points }
    await writeMerged(db, pair, DAYS.kind, written, merged, { chunkSize: LOCAL_CHUNK, now })
  }
  return made
}

/** The bank's wholesale table of each business day that is over. */
async function importPastTables(db: D1Database, now: Instant, options: MarketOptions) {
  const today = argentineDay(now)
  const days = bankDaysFrom(addDays(today, -PAST_DAYS), addDays(today, -1))
  const statements = days.map((day) => {
    const publishedAt = closeOf(day)
    const rates = wholesaleRows(marketAt(publishedAt, options)).map(({ buy, sell, ...row }) => ({
      ...row,
      buy: String(Number(buy)),
      sell: String(Number(sell)),
    }))
    return invoicingStatements(db, { day, publishedAt, source: 'bna-divisas', rates }, publishedAt)
  })
  for (let from = 0; from < days.length; from += TABLES_AT_ONCE) {
    await db.batch(statements.slice(from, from + TABLES_AT_ONCE).flat())
  }
}

function withPast(stored: Stored, pair: Pair, days: PairRows, week: PairRows): Merged {
  const before = (rows: PairRows) =>
    rows.get(pair)!.filter(({ at }) => at < (stored.liveFrom ?? Infinity))
  const [ofDays, ofWeek] = [before(days), before(week)]
  const instants = ofWeek.map(({ at }) => at)

  const withWeek = merge(stored, {
    ...WEEK,
    pair,
    rows: ofWeek,
    coverage: bridged(instants[0] ?? 0, instants.at(-1) ?? 0, instants, RECENT_MS),
  })
  return merge(
    { ...withWeek, liveFrom: stored.liveFrom },
    {
      ...DAYS,
      pair,
      rows: ofDays,
      coverage: dayRanges(ofDays.map(({ at }) => argentineDay(at))),
    },
  )
}
