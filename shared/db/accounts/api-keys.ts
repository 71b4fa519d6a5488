import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Instant } from '../../argentine-time.ts'
import { generateKey } from '../../access/api-key.ts'
import { type RandomBytes, randomUuid } from '../../crypto/random.ts'
import { ok, refuse, type Result } from '../../result.ts'
import type { Database } from '../database.ts'
import { accounts, apiKeys } from '../schema.ts'

/** Active keys at which an account can make no other; inherited ones count (specification, Limits). */
export const KEY_LIMIT = 5

/** What may be shown of a key. */
export interface KeyRecord {
  id: string
  name: string
  prefix: string
  inherited: boolean
  createdAt: Instant
  /** Argentine day of the last accepted request. */
  lastUsedDay: string | null
}

/** A key just made: the only moment at which the secret exists outside its owner's hands. */
export interface IssuedKey {
  key: string
  record: KeyRecord
}

const shown = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  inherited: apiKeys.inherited,
  createdAt: apiKeys.createdAt,
  lastUsedDay: apiKeys.lastUsedDay,
}

export type CreateKeyRefusal = 'account_not_found' | 'key_limit'

/**
 * Makes a key. One statement counts and inserts, so that however many arrive together an account
 * never gets past five; above five inherited keys nothing is made until fewer than five remain.
 * The name must have passed `normalizeKeyName`.
 */
export async function createKey(
  db: Database,
  { accountId, name, now, random }: KeyOrder,
): Promise<Result<IssuedKey, CreateKeyRefusal>> {
  const { key, prefix, hash } = await generateKey(random)
  const id = randomUuid(random)

  const made = await db.$client
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

  const account = await db.select().from(accounts).where(eq(accounts.id, accountId)).get()
  return refuse(account ? 'key_limit' : 'account_not_found')
}

export interface KeyOrder {
  accountId: string
  name: string
  now: Instant
  random: RandomBytes
}

/** The keys of an account, oldest first. */
export async function listKeys(db: Database, accountId: string): Promise<KeyRecord[]> {
  return db
    .select(shown)
    .from(apiKeys)
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
}

/** The keys of an account with this prefix, written with or without `cot_`. */
export async function findKeys(
  db: Database,
  accountId: string,
  prefix: string,
): Promise<KeyRecord[]> {
  return db
    .select(shown)
    .from(apiKeys)
    .where(
      and(eq(apiKeys.accountId, accountId), inArray(apiKeys.prefix, [prefix, `cot_${prefix}`])),
    )
}

export type RotateKeyRefusal = 'key_not_found' | 'key_changed'

/**
 * Replaces the secret; the old one is dead when this returns. Name, date and minute counters stay,
 * and the key is inherited no more. `seenPrefix` is the prefix that the caller decided on: of two
 * rotations of the same sight one wins, and nobody is handed a secret that is already dead.
 */
export async function rotateKey(
  db: Database,
  {
    accountId,
    keyId,
    seenPrefix,
    random,
  }: { accountId: string; keyId: string; seenPrefix: string; random: RandomBytes },
): Promise<Result<IssuedKey, RotateKeyRefusal>> {
  const { key, prefix, hash } = await generateKey(random)
  const mine = and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId))

  const [record] = await db
    .update(apiKeys)
    .set({ prefix, hash, inherited: false })
    .where(and(mine, eq(apiKeys.prefix, seenPrefix)))
    .returning(shown)
  if (record) return ok({ key, record })

  const present = await db.select({ id: apiKeys.id }).from(apiKeys).where(mine).get()
  return refuse(present ? 'key_changed' : 'key_not_found')
}

/** Removes a key for ever and frees its place. Webhooks belong to the account and stay. */
export async function revokeKey(
  db: Database,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<Result<KeyRecord, 'key_not_found'>> {
  const [record] = await db
    .delete(apiKeys)
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.accountId, accountId)))
    .returning(shown)

  return record ? ok(record) : refuse('key_not_found')
}
