import type { Instant } from '../../argentine-time.ts'
import { generateKey } from '../../access/api-key.ts'
import { type RandomBytes, randomUuid } from '../../crypto/random.ts'
import { ok, refuse, type Result } from '../../result.ts'

/** The most active keys of an account; inherited ones count (specification, Limits). */
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

/** A new key. The service never sees its secret again. */
export interface IssuedKey {
  key: string
  record: KeyRecord
}

/** A row as D1 gives it. */
type KeyRow = Omit<KeyRecord, 'inherited'> & { inherited: 0 | 1 }

const COLUMNS = `id, name, prefix, inherited, created_at as createdAt, last_used_day as lastUsedDay`

function toRecord(row: KeyRow): KeyRecord {
  return { ...row, inherited: row.inherited === 1 }
}

export type CreateKeyRefusal = 'account_not_found' | 'key_limit'

/**
 * Creates a key whose name passed `normalizeKeyName`. One statement counts and inserts, so
 * concurrent requests never pass the limit. An account that imported more keys must first go below
 * the limit.
 */
export async function createKey(
  db: D1Database,
  { accountId, name, now, random }: KeyOrder,
): Promise<Result<IssuedKey, CreateKeyRefusal>> {
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

export interface KeyOrder {
  accountId: string
  name: string
  now: Instant
  random: RandomBytes
}

/** The keys of an account, oldest first. */
export async function listKeys(db: D1Database, accountId: string): Promise<KeyRecord[]> {
  const { results } = await db
    .prepare(`select ${COLUMNS} from api_keys where account_id = ?1 order by created_at, id`)
    .bind(accountId)
    .all<KeyRow>()
  return results.map(toRecord)
}

/** The keys of an account with this prefix, written with or without `cot_`. */
export async function findKeys(
  db: D1Database,
  accountId: string,
  prefix: string,
): Promise<KeyRecord[]> {
  const { results } = await db
    .prepare(
      `select ${COLUMNS} from api_keys where account_id = ?1 and prefix in (?2, 'cot_' || ?2)`,
    )
    .bind(accountId, prefix)
    .all<KeyRow>()
  return results.map(toRecord)
}

export type RotateKeyRefusal = 'key_not_found' | 'key_changed'

/**
 * Replaces the secret; the old one no longer works when this returns. Name, dates and minute
 * counters stay; the key is no longer inherited. `seenPrefix` is the prefix that the caller read:
 * of two rotations that read the same prefix one wins, so nobody receives a secret that is already
 * replaced.
 */
export async function rotateKey(
  db: D1Database,
  {
    accountId,
    keyId,
    seenPrefix,
    random,
  }: { accountId: string; keyId: string; seenPrefix: string; random: RandomBytes },
): Promise<Result<IssuedKey, RotateKeyRefusal>> {
  const { key, prefix, hash } = await generateKey(random)

  const row = await db
    .prepare(
      `update api_keys set prefix = ?4, hash = ?5, inherited = 0
       where id = ?1 and account_id = ?2 and prefix = ?3 returning ${COLUMNS}`,
    )
    .bind(keyId, accountId, seenPrefix, prefix, hash)
    .first<KeyRow>()
  if (row) return ok({ key, record: toRecord(row) })

  const present = await db
    .prepare(`select 1 from api_keys where id = ?1 and account_id = ?2`)
    .bind(keyId, accountId)
    .first()
  return refuse(present ? 'key_changed' : 'key_not_found')
}

/** Deletes a key. Webhooks belong to the account and stay. */
export async function revokeKey(
  db: D1Database,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<Result<KeyRecord, 'key_not_found'>> {
  const row = await db
    .prepare(`delete from api_keys where id = ?1 and account_id = ?2 returning ${COLUMNS}`)
    .bind(keyId, accountId)
    .first<KeyRow>()

  return row ? ok(toRecord(row)) : refuse('key_not_found')
}
