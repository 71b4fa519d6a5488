import type { Instant } from '../argentine-time.ts'
import type { Rows, StoredSubscription } from './row.ts'

/** An account's subscriptions of a kind, oldest first. */
export async function listSubscriptions<Stored extends StoredSubscription>(
  db: D1Database,
  rows: Rows<Stored>,
  accountId: string,
  now: Instant,
): Promise<Stored[]> {
  const { results } = await db.prepare(rows.select('account_id = ?1', now)).bind(accountId).all()
  return results.map(rows.read)
}

/** One subscription of an account. One of another account, or of the other kind, counts as absent. */
export async function findSubscription<Stored extends StoredSubscription>(
  db: D1Database,
  rows: Rows<Stored>,
  { accountId, id }: { accountId: string; id: string },
  now: Instant,
): Promise<Stored | null> {
  const row = await selectOne(db, rows, { accountId, id }, now).first()
  return row && rows.read(row)
}

/** The subscription that an account created with an operation id, if any. */
export async function findByOperation<Stored extends StoredSubscription>(
  db: D1Database,
  rows: Rows<Stored>,
  { accountId, operationId }: { accountId: string; operationId: string },
  now: Instant,
): Promise<Stored | null> {
  const row = await selectByOperation(db, rows, { accountId, operationId }, now).first()
  return row && rows.read(row)
}

export function selectOne<Stored extends StoredSubscription>(
  db: D1Database,
  rows: Rows<Stored>,
  { accountId, id }: { accountId: string; id: string },
  now: Instant,
): D1PreparedStatement {
  return db.prepare(rows.select('id = ?1 and account_id = ?2', now)).bind(id, accountId)
}

export function selectByOperation<Stored extends StoredSubscription>(
  db: D1Database,
  rows: Rows<Stored>,
  { accountId, operationId }: { accountId: string; operationId: string },
  now: Instant,
): D1PreparedStatement {
  return db
    .prepare(rows.select('account_id = ?1 and operation_id = ?2', now))
    .bind(accountId, operationId)
}
