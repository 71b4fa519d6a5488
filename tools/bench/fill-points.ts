import { PAIRS } from '../../shared/market/catalog.ts'
import { migrate } from '../local/migrate.ts'

/** Points written by one statement: seconds of work, so that progress shows. */
const CHUNK = 500_000

/** The span over which the points are spread evenly: 500 million seconds from 2011 on. */
const FIRST_AT = 1_293_840_000_000
const SPAN_MS = 500_000_000_000

/**
 * Fills the database with so many points, spread over all pairs, unless it holds them already.
 * Gives its size in bytes.
 */
export async function fillPoints(
  db: D1Database,
  count: number,
  progress: (line: string) => void,
): Promise<number> {
  await migrate(db)
  const begin = performance.now()
  const perPair = Math.ceil(count / PAIRS.length)

  for (const [index, pair] of PAIRS.entries()) {
    const have = await db
      .prepare('select count(*) as n from points where pair = ?')
      .bind(pair.id)
      .first<number>('n')

    for (let from = have ?? 0; from < perPair; from += CHUNK) {
      const to = Math.min(from + CHUNK, perPair)
      await db
        .prepare(INSERT)
        .bind(pair.id, from, to, FIRST_AT, SPAN_MS / perPair)
        .run()
    }
    const seconds = ((performance.now() - begin) / 1000).toFixed(0)
    progress(
      `${((index + 1) * perPair).toLocaleString('en')} of ${count.toLocaleString('en')} points, ${seconds} s`,
    )
  }
  return (await db.prepare('select 1').run()).meta.size_after
}

/** Prices of five to seven digits and a source's name, as real points have. */
const INSERT = `
  insert into points (pair, at, buy, sell, source)
  with recursive n(i) as (select ?2 union all select i + 1 from n where i < ?3 - 1)
  select ?1, ?4 + cast(i * ?5 as integer), 10000000 + i * 7919 % 5000000,
    10100000 + i * 7919 % 5000000, 'ambito-blue'
  from n`
