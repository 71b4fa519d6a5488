import type { Instant } from '../argentine-time.ts'
import type { Own } from '../db/subscriptions.ts'
import type { Reader } from './kind.ts'

/** An account's subscriptions of a kind, oldest first. */
export async function listSubscriptions<Stored>(
  db: D1Database,
  kind: Reader<Stored>,
  accountId: string,
  now: Instant,
): Promise<Stored[]> {
  const { results } = await kind.select(db, { accountId }, now).all()
  return results.map((row) => kind.read(row))
}

/** One subscription of an account. One of another account, or of the other kind, counts as absent. */
export async function findSubscription<Stored>(
  db: D1Database,
  kind: Reader<Stored>,
  own: Own,
  now: Instant,
): Promise<Stored | null> {
  const row = await kind.select(db, own, now).first()
  return row && kind.read(row)
}
