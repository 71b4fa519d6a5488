import { generateKey } from '../../../shared/access/api-key.ts'
import { randomBytes as random } from '../../support/random.ts'

/** Accounts with one key each, straight into the tables; returns the keys. */
export async function seedKeys(db: D1Database, count: number): Promise<string[]> {
  const now = Date.now()
  const keys = await Promise.all(Array.from({ length: count }, () => generateKey(random)))
  const rows = JSON.stringify(
    keys.map(({ prefix, hash }) => ({ account: crypto.randomUUID(), prefix, hash })),
  )
  await db.batch([
    db
      .prepare(
        `insert into accounts (id, name, email, email_verified, created_at, updated_at)
         select value ->> 'account', 'load', (value ->> 'account') || '@load.test', 1, ?2, ?2
         from json_each(?1)`,
      )
      .bind(rows, now),
    db
      .prepare(
        `insert into api_keys (id, account_id, name, prefix, hash, inherited, created_at)
         select value ->> 'hash', value ->> 'account', 'load', value ->> 'prefix',
           value ->> 'hash', 0, ?2
         from json_each(?1)`,
      )
      .bind(rows, now),
  ])
  return keys.map(({ key }) => key)
}
