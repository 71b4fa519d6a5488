/**
 * Imports accounts, keys and webhooks of the predecessor. Each key and webhook gets a mark, by
 * which a second import skips it, even if it was rotated, revoked or deleted since. Every batch is
 * complete, so an interrupted import can be repeated.
 */
import type { Instant } from '../../../shared/argentine-time.ts'
import { namedBatch, type Statement } from '../../../shared/db/named-batch.ts'
import { type RandomBytes, randomUuid } from '../../../shared/crypto/random.ts'
import { chunksOf } from '../../support/chunks.ts'
import type { SealedFields } from '../../../shared/db/subscriptions.ts'

/** An account with its keys, whose secrets are already hashes. */
export interface InheritedAccount {
  /** As `normalizeEmail` returns it. */
  email: string
  keys: {
    name: string
    prefix: string
    hash: string
    createdAt: Instant
    /** The key's place in the file. */
    place: string
  }[]
}

/** A webhook, ready to be stored. */
export interface InheritedWebhook {
  id: string
  accountId: string
  operationId: string
  /** The id in the predecessor, which the mark keeps. */
  reference: string
  pair: number
  /** Masked. */
  destination: string
  sealed: SealedFields
  createdAt: Instant
}

/** Rows of one batch. */
const CHUNK = 100

/** Binds rows as one JSON value to a statement. */
function onRows(db: D1Database, sql: string, rows: readonly object[], ...values: Instant[]) {
  return db.prepare(sql).bind(JSON.stringify(rows), ...values)
}

/** Imports accounts and their keys. `known`: imported before. `taken`: another account has it. */
export async function importInheritedKeys(
  db: D1Database,
  accounts: readonly InheritedAccount[],
  { now, random }: { now: Instant; random: RandomBytes },
) {
  let [accountsMade, keysImported] = [0, 0]
  const taken: string[] = []

  for (const chunk of chunksOf(accounts, CHUNK)) {
    const rows = chunk.map(({ email }) => ({ id: randomUuid(random), email }))
    accountsMade += (await onRows(db, ACCOUNTS, rows, now).all()).results.length
  }
  const keys = accounts.flatMap(({ email, keys }) => keys.map((key) => ({ email, ...key })))
  for (const chunk of chunksOf(keys, CHUNK)) {
    const rows = chunk.map((key) => ({ id: randomUuid(random), ...key }))
    const marked: Statement<{ owner: string }> = onRows(db, KEY_MARKS, rows, now)
    const done = await namedBatch(db, { imported: onRows(db, KEYS, rows), marked })
    keysImported += done.imported.results.length
    const owners = new Set(done.marked.results.map(({ owner }) => owner))
    for (const { email, hash, place } of chunk)
      if (!owners.has(`${email} ${hash}`)) taken.push(place)
  }
  return {
    accountsMade,
    accountsKnown: accounts.length - accountsMade,
    keysImported,
    keysKnown: keys.length - keysImported - taken.length,
    taken,
  }
}

const ACCOUNTS = `
  insert into accounts (id, name, email, email_verified, created_at, updated_at)
  select value ->> 'id', '', value ->> 'email', 0, ?2, ?2 from json_each(?1) where true
  on conflict (email) do nothing returning id`

const KEYS = `
  insert into api_keys (id, account_id, name, prefix, hash, inherited, created_at)
  select value ->> 'id', accounts.id, value ->> 'name', value ->> 'prefix', value ->> 'hash', 1,
    value ->> 'createdAt'
  from json_each(?1) join accounts on accounts.email = value ->> 'email'
  where not exists (select 1 from import_marks
    where account_id = accounts.id and kind = 'key' and reference = value ->> 'hash')
  on conflict (hash) do nothing returning id`

/** Returns a row for a new or existing mark; none when the key belongs to another account. */
const KEY_MARKS = `
  insert into import_marks (account_id, kind, reference, created_at)
  select accounts.id, 'key', value ->> 'hash', ?2
  from json_each(?1) join accounts on accounts.email = value ->> 'email'
  where exists (select 1 from import_marks
      where account_id = accounts.id and kind = 'key' and reference = value ->> 'hash')
    or exists (select 1 from api_keys where hash = value ->> 'hash' and account_id = accounts.id)
  on conflict (account_id, kind, reference) do update set created_at = created_at
  returning (select email from accounts where id = account_id) || ' ' || reference as owner`

/**
 * Stores webhooks in one batch, paused until their owners activate them, and without a limit per
 * account (decision 22: states of a webhook). Within one call no account may have a reference
 * twice. Returns the stored ids.
 */
export async function importInheritedWebhooks(
  db: D1Database,
  webhooks: readonly InheritedWebhook[],
  now: Instant,
): Promise<string[]> {
  const rows = webhooks.map(({ sealed, ...webhook }) => ({ ...webhook, ...sealed }))
  const marks = webhooks.map(({ accountId, reference }) => ({ accountId, reference }))
  const stored: Statement<{ id: string }> = onRows(db, WEBHOOKS, rows)
  const written = await namedBatch(db, { stored, marked: onRows(db, WEBHOOK_MARKS, marks, now) })
  return written.stored.results.map(({ id }) => id)
}

const WEBHOOKS = `
  insert into subscriptions (id, account_id, operation_id, kind, channel, pair, destination,
    url_sealed, authorization_sealed, secret_sealed, enabled, state, source, version, revision,
    episode, consecutive_failures, needs_sync, created_at)
  select value ->> 'id', value ->> 'accountId', value ->> 'operationId', 'webhook', 'https',
    value ->> 'pair', value ->> 'destination', value ->> 'url', null, value ->> 'secret', 0,
    'inherited', 'v1', 1, 1, 1, 0, 0, value ->> 'createdAt'
  from json_each(?1)
  where not exists (select 1 from import_marks where account_id = value ->> 'accountId'
    and kind = 'webhook' and reference = value ->> 'reference')
  returning id`

const WEBHOOK_MARKS = `
  insert into import_marks (account_id, kind, reference, created_at)
  select value ->> 'accountId', 'webhook', value ->> 'reference', ?2 from json_each(?1) where true
  on conflict do nothing`
