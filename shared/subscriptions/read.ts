import type { Instant } from '../argentine-time.ts'
import type { Kind, Own } from './kind.ts'
import type { StoredSubscription } from './row.ts'

type Reader<Stored extends StoredSubscription> = Pick<Kind<Stored>, 'select' | 'read'>

/** An account's subscriptions of a kind, oldest first. */
export async function listSubscriptions<Stored extends StoredSubscription>(
  db: D1Database,
  kind: Reader<Stored>,
  accountId: string,
  now: Instant,
): Promise<Stored[]> {
  const { results } = await db.prepare(kind.select('account_id = ?1', now)).bind(accountId).all()
  return results.map((row) => kind.read(row))
}

/** One subscription of an account. One of another account, or of the other kind, counts as absent. */
export async function findSubscription<Stored extends StoredSubscription>(
  db: D1Database,
  kind: Reader<Stored>,
  own: Own,
  now: Instant,
): Promise<Stored | null> {
  const row = await selectOne(db, kind, own, now).first()
  return row && kind.read(row)
}

export function selectOne(
  db: D1Database,
  kind: Reader<StoredSubscription>,
  { accountId, id }: Own,
  now: Instant,
): D1PreparedStatement {
  return db.prepare(kind.select('id = ?1 and account_id = ?2', now)).bind(id, accountId)
}

/** The subscription that an account created with an operation id, if any. */
export function selectByOperation(
  db: D1Database,
  kind: Reader<StoredSubscription>,
  { accountId, operationId }: { accountId: string; operationId: string },
  now: Instant,
): D1PreparedStatement {
  return db
    .prepare(kind.select('account_id = ?1 and operation_id = ?2', now))
    .bind(accountId, operationId)
}
