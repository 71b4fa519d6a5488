import { RETENTION_MS } from '../../../shared/db/deliveries/open.ts'
import { TALLY_MS } from '../../../shared/db/deliveries/tallies.ts'
import { type Check, foundBroken, type Scope } from './check.ts'

interface Tally {
  at: number
  delivered: number
  dead: number
}

/** Rows that one query counts. */
const CHUNK = 50_000

/**
 * Rows go when their webhook is deleted, tallies stay: so a tally is at least what the rows say.
 * The rows are counted first, so that what ends meanwhile is in the tallies only.
 */
export const tallyCheck: Check = {
  name: 'no ended delivery is missing from the five-minute tallies',
  async run(scope) {
    const ended = await endedByTally(scope)
    const { results } = await scope.db
      .prepare('select at, delivered, dead from delivery_tallies')
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
