/** What the status read costs while thousands of webhooks have something waiting. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { createStatusReader } from '../../shared/db/status.ts'
import { openLocal } from '../admin/open-local.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { seedChange, seedFinished } from './delivery/seed.ts'
import { measured } from './measured.ts'

const WEBHOOKS = 10_000
const FINISHED = 100_000
const HOST = 'x.example.com'

export const status: Bench = {
  name: 'status',
  summary: 'rows and round trips of the status read',
  method:
    `createStatusReader over D1 of miniflare with ${FINISHED} finished deliveries and a day of tallies: ` +
    `nothing waits, and ${WEBHOOKS} webhooks each have three waiting, half of them announced again; rows are D1's own count`,
  run: benchStatus,
}

async function benchStatus({ progress }: BenchOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-status-'))
  try {
    await using storage = await openLocal(folder)
    const { db, kv } = storage
    progress(`making ${FINISHED} finished deliveries`)
    await seedFinished(db, FINISHED, [])
    await seedTallies(db)
    const idle = await statusFigures(db, kv, 'nothing waits')

    progress(`making ${WEBHOOKS} webhooks with three deliveries each`)
    const webhooks = await seedWebhooks(db)
    for (let change = 0; change < 3; change++) await seedChange(db, webhooks)
    await db.prepare('update deliveries set hinted_at = created_at where id % 2 = 0').run()
    return [...idle, ...(await statusFigures(db, kv, `${WEBHOOKS} webhooks wait`))]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Nothing is sent here, so nothing of them is sealed. */
async function seedWebhooks(db: D1Database): Promise<{ id: string; host: string }[]> {
  const { results } = await db
    .prepare(
      `insert into webhooks (id, account_id, operation_id, pair, destination, url_sealed,
         secret_sealed, enabled, state, source, version, revision, episode, consecutive_failures,
         needs_sync, created_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
       select 'webhook-' || i, 'account-' || (i / 5), i, 3, 'https://' || ?2 || '/***', 'x', 'x', 1,
         'active', 'v2', 1, 1, 1, 0, 0, 0 from n returning id`,
    )
    .bind(WEBHOOKS, HOST)
    .all<{ id: string }>()
  return results.map(({ id }) => ({ id, host: HOST }))
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

async function statusFigures(
  binding: D1Database,
  kv: KVNamespace,
  what: string,
): Promise<Figure[]> {
  const { db, spent } = measured(binding)
  await createStatusReader()({ BOARD: kv, DB: db }, Date.now())

  const { roundTrips, rowsRead, rowsWritten } = spent()
  const name = `status, ${what}`
  return [
    { name: `${name}: round trips`, value: roundTrips, unit: '', atMost: 1 },
    { name: `${name}: rows read`, value: rowsRead, unit: '', atMost: 20 },
    { name: `${name}: rows written`, value: rowsWritten, unit: '', atMost: 0 },
  ]
}
