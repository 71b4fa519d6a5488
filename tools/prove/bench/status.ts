/** What the status read costs while thousands of webhooks have something waiting. */
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { createStatusReader } from '../../../shared/db/status.ts'
import { openScratchStorage, type Storage } from '../../operate/admin/open-local.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { seedFollowers, seedChange, seedFinished } from './delivery/seed.ts'
import { costFigures, costOf } from './measured.ts'

const WEBHOOKS = 10_000
const FINISHED = 100_000

export const status: Bench = {
  name: 'status',
  summary: 'rows and round trips of the status read',
  method:
    `createStatusReader over D1 of miniflare with ${FINISHED} finished deliveries and a day of tallies: ` +
    `nothing waits, and ${WEBHOOKS} webhooks each have three waiting, half of them enqueued again; rows are D1's own count`,
  run: benchStatus,
}

async function benchStatus({ progress }: BenchOptions): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  const { db } = storage
  progress(`making ${FINISHED} finished deliveries`)
  await seedFinished(db, FINISHED, [])
  await seedTallies(db)
  const idle = await statusFigures(storage, 'nothing waits')

  progress(`making ${WEBHOOKS} webhooks with three deliveries each`)
  const webhooks = await seedFollowers(db, 'USD/BLUE', WEBHOOKS, ['x.example.com'])
  for (let change = 0; change < 3; change++) await seedChange(db, webhooks)
  await db.prepare('update deliveries set look_at = created_at where id % 2 = 0').run()
  return [...idle, ...(await statusFigures(storage, `${WEBHOOKS} webhooks wait`))]
}

/** Endings in every five minutes of the last day. */
async function seedTallies(db: D1Database): Promise<void> {
  await db
    .prepare(
      `insert into delivery_tallies (at, delivered, dead)
       with recursive n(i) as (select 0 union all select i + 1 from n where i < 288)
       select ?1 - ?1 % ?2 - i * ?2, 100, 1 from n`,
    )
    .bind(Date.now(), 5 * MINUTE_MS)
    .run()
}

async function statusFigures(storage: Storage, what: string): Promise<Figure[]> {
  const read = (DB: D1Database) => createStatusReader()({ BOARD: storage.kv, DB }, Date.now())
  const cost = await costOf(storage.db, read)
  return costFigures(`status, ${what}`, cost, { roundTrips: 1, rowsRead: 20, rowsWritten: 0 })
}
