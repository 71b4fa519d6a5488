import { RETENTION_MS } from '../../../../shared/db/deliveries/open.ts'
import { TALLIES, TALLY_MS } from '../../../../shared/db/deliveries/tallies.ts'
import { type Check, CLOCK_SLACK_MS, foundBroken, type Scope } from './check.ts'
import { argentineDay, type Day, DAY_MS } from '../../../../shared/argentine-time.ts'
import type { DayAvailability } from '../../../../shared/board/availability.ts'

interface Tally {
  at: number
  delivered: number
  dead: number
}

const CHUNK = 50_000

/**
 * Rows disappear with their webhook and tallies stay, so a tally is at least the number of rows.
 * The rows are counted first: what ends meanwhile is only in the tallies.
 */
export const tallyCheck: Check = {
  name: 'no ended delivery is missing from the five-minute tallies',
  async run(scope) {
    const ended = await endedByTally(scope)
    const { results } = await scope.db
      .prepare(
        `select at, sum(delivered) as delivered, sum(dead) as dead from ${TALLIES} group by at`,
      )
      .all<Tally>()
    const tallies = new Map(results.map((tally) => [tally.at, tally]))

    const kept = [...ended].filter(([at]) => at > scope.now - RETENTION_MS)
    const broken = kept.filter(([at, { delivered, dead }]) => {
      const tally = tallies.get(at)
      return !tally || tally.delivered < delivered || tally.dead < dead
    })
    return foundBroken(
      kept.length,
      broken.map(([at]) => new Date(at).toISOString()),
    )
  },
}

async function endedByTally({ db }: Scope): Promise<Map<number, Tally>> {
  const range = await db
    .prepare(
      'select (select min(id) from deliveries) as low, (select max(id) from deliveries) as high',
    )
    .first<{ low: number | null; high: number | null }>()
  const ended = new Map<number, Tally>()

  for (let from = range!.low ?? 1; from <= (range!.high ?? 0); from += CHUNK) {
    const { results } = await db
      .prepare(
        `select resolved_at - resolved_at % ${TALLY_MS} as at,
           sum(status = 'delivered') as delivered, sum(status = 'dead') as dead
         from deliveries where id >= ?1 and id < ?2 and status in ('delivered', 'dead')
         group by 1`,
      )
      .bind(from, from + CHUNK)
      .all<Tally>()
    for (const { at, delivered, dead } of results) {
      const sum = ended.get(at) ?? { at, delivered: 0, dead: 0 }
      ended.set(at, { at, delivered: sum.delivered + delivered, dead: sum.dead + dead })
    }
  }
  return ended
}

/**
 * Each cycle accounts for the time since the one before. So a day between two counted days adds up
 * to exactly 24 hours. The first day began with the first cycle, and today is not over.
 */
export const availabilityCheck: Check = {
  name: 'every day’s availability adds up to the day',
  async run({ db, now }) {
    const { results } = await db
      .prepare('select day, ok, degraded, down from availability order by day')
      .all<DayAvailability>()
    const today = argentineDay(now + CLOCK_SLACK_MS)
    const broken = results.filter((row, index) => {
      const counted = row.ok + row.degraded + row.down
      const isWhole =
        index > 0 && index < results.length - 1 && isNext(results[index - 1]!.day, row.day)
      return (
        Math.min(row.ok, row.degraded, row.down) < 0 ||
        counted > DAY_MS ||
        (isWhole && counted !== DAY_MS) ||
        row.day > today
      )
    })
    return foundBroken(
      results.length,
      broken.map(({ day }) => day),
    )
  },
}

function isNext(before: Day, day: Day): boolean {
  return Date.parse(day) - Date.parse(before) === DAY_MS
}
