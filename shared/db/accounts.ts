import { and, eq } from 'drizzle-orm'
import type { Instant } from '../argentine-time.ts'
import { generateKey } from '../access/api-key.ts'
import { type RandomBytes, randomUuid } from '../crypto/random.ts'
import { type Result, ok, refuse } from '../result.ts'
import * as schema from './schema.ts'
import { namedBatch } from './named-batch.ts'
import { drizzle } from 'drizzle-orm/d1'

/** The maximum of active keys of an account, including inherited ones (specification, Limits). */
export const KEY_LIMIT = 5

const { apiKeys } = schema
const { id, name, prefix, inherited, createdAt, lastUsedDay } = apiKeys

/** The columns of a key that may be shown. */
const SHOWN = { id, name, prefix, inherited, createdAt, lastUsedDay }
export type KeyRecord = Pick<typeof apiKeys.$inferSelect, keyof typeof SHOWN>

/** A new key, shown once. The service stores only its hash. */
export interface IssuedKey {
  key: string
  record: KeyRecord
}

/**
 * Creates a key. `name` must come from `normalizeKeyName`. One statement counts and inserts, so
 * concurrent requests cannot exceed the limit. An account that imported more keys must first revoke
 * keys until it is below the limit.
 */
export async function createKey(
  db: D1Database,
  {
    accountId,
    name,
    now,
    random,
  }: { accountId: string; name: string; now: Instant; random: RandomBytes },
): Promise<Result<IssuedKey, 'account_not_found' | 'key_limit'>> {
  const { key, prefix, hash } = await generateKey(random)
  const id = randomUuid(random)

  const made = await db
    .prepare(
      `insert into api_keys (id, account_id, name, prefix, hash, inherited, created_at)
       select ?1, accounts.id, ?3, ?4, ?5, 0, ?6 from accounts
       where accounts.id = ?2 and (select count(*) from api_keys where account_id = ?2) < ?7
       returning id`,
    )
    .bind(id, accountId, name, prefix, hash, now, KEY_LIMIT)
    .first()
  if (made)
    return ok({
      key,
      record: { id, name, prefix, inherited: false, createdAt: now, lastUsedDay: null },
    })

  const account = await db.prepare(`select 1 from accounts where id = ?1`).bind(accountId).first()
  return refuse(account ? 'key_limit' : 'account_not_found')
}

/** The keys of an account, oldest first. */
export async function listKeys(db: D1Database, accountId: string): Promise<KeyRecord[]> {
  return openDatabase(db)
    .select(SHOWN)
    .from(apiKeys)
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(createdAt, id)
}

/**
 * Replaces the secret; the old secret no longer works when this returns. Name, dates and minute
 * counters stay; the key is no longer inherited. `seenPrefix` is the prefix that the caller read:
 * if two rotations read the same prefix, only one succeeds, so nobody receives a secret that is
 * already replaced.
 */
export async function rotateKey(
  db: D1Database,
  {
    accountId,
    keyId,
    seenPrefix,
    random,
  }: { accountId: string; keyId: string; seenPrefix: string; random: RandomBytes },
): Promise<Result<IssuedKey, 'key_not_found' | 'key_changed'>> {
  const { key, ...made } = await generateKey(random)
  const own = and(eq(id, keyId), eq(apiKeys.accountId, accountId))

  const [record] = await openDatabase(db)
    .update(apiKeys)
    .set({ ...made, inherited: false })
    .where(and(own, eq(prefix, seenPrefix)))
    .returning(SHOWN)
  if (record) return ok({ key, record })

  const present = await openDatabase(db).select({ id }).from(apiKeys).where(own)
  return refuse(present.length > 0 ? 'key_changed' : 'key_not_found')
}

/** Deletes a key. Webhooks belong to the account and stay. */
export async function revokeKey(
  db: D1Database,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<Result<KeyRecord, 'key_not_found'>> {
  const [record] = await openDatabase(db)
    .delete(apiKeys)
    .where(and(eq(id, keyId), eq(apiKeys.accountId, accountId)))
    .returning(SHOWN)
  return record ? ok(record) : refuse('key_not_found')
}

/**
 * Deletes an account and everything it owns, in one transaction (decision 19). Subscriptions come
 * first, because they have no foreign key to the account; a trigger deletes their deliveries. Keys,
 * import marks and sessions are deleted by cascade.
 */
export async function deleteAccount(
  db: D1Database,
  accountId: string,
): Promise<Result<null, 'account_not_found'>> {
  const ofIt = (sql: string) => db.prepare(sql).bind(accountId)
  const { account } = await namedBatch(db, {
    subscriptions: ofIt(`delete from subscriptions where account_id = ?1`),
    account: ofIt(`delete from accounts where id = ?1 returning id`),
  })
  return account.results.length > 0 ? ok(null) : refuse('account_not_found')
}

/** Opens drizzle, for simple statements with typed rows and for the sign-in library (schema.ts). */
export function openDatabase(binding: D1Database) {
  return drizzle(binding, { schema, casing: 'snake_case' })
}
