import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { storagePath } from '../local/storage.ts'
import type { StoredDelivery } from './compare.ts'

/** Delivery ids of what was being sent when the service was killed: nobody else writes then. */
export function deliveriesInFlight(stateDir: string): string[] {
  const sql = `select delivery_id as id from deliveries where status = 'sending'`
  return query<{ id: string }>(stateDir, sql).map(({ id }) => id)
}

/** How many deliveries and syncs have not ended. */
export function countWaiting(stateDir: string): number {
  const [row] = query<{ waiting: number }>(
    stateDir,
    `select (select count(*) from deliveries where status in ('pending', 'sending', 'failed'))
       + (select count(*) from webhooks where state = 'active' and needs_sync = 1
         and synced_revision <> revision) as waiting`,
  )
  return row!.waiting
}

export function storedDeliveries(stateDir: string): StoredDelivery[] {
  return query<StoredDelivery>(
    stateDir,
    `select id, delivery_id as deliveryId, webhook_id as webhookId, type, status, attempts
     from deliveries`,
  )
}

/** Reads the service's own database, beside it or after it was killed. */
function query<Row>(stateDir: string, sql: string): Row[] {
  const folder = storagePath(stateDir)
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
    (path) => path.includes('d1') && path.endsWith('.sqlite') && !path.includes('metadata'),
  )!
  using database = new DatabaseSync(join(folder, file), { readOnly: true, timeout: 5000 })
  return database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }) as Row)
}
