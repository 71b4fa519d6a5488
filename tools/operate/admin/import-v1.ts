/**
 * Imports accounts, keys and webhooks of v1. Each key and webhook gets a mark, by which a second
 * import skips it, even if it was rotated, revoked or deleted since. Every batch is complete, so an
 * interrupted import can be repeated.
 */
import { Command } from '@commander-js/extra-typings'
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import {
  couldBeKey,
  hashKey,
  inheritedPrefix,
  normalizeKeyName,
} from '../../../shared/access/api-key.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import { toHex } from '../../../shared/encoding.ts'
import { randomUuid } from '../../../shared/crypto/random.ts'
import { namedBatch, type Statement } from '../../../shared/db/named-batch.ts'
import { normalizeEmail } from '../../../shared/mail.ts'
import { findPair } from '../../../shared/market/catalog.ts'
import { sealFields } from '../../../shared/subscriptions/sealed-fields.ts'
import {
  checkDestination,
  maskDestination,
} from '../../../shared/webhooks/destination/destination.ts'
import { CommandError } from '../../support/arguments.ts'
import { chunksOf } from '../../support/chunks.ts'
import { parseJson } from '../../support/parse-json.ts'
import { randomBytes as random } from '../../support/random.ts'
import { type AdminContext, run } from './command.ts'
import { requireKeyring } from './keyring.ts'

export const importV1Command = new Command('import-v1')
  .description(
    'Imports the accounts, keys and webhooks of the service before this one (v1); a second time it does nothing. ' +
      'docs/import-v1.md describes FILE. Nothing of a bad file is imported. What cannot be taken is listed, ' +
      'and the command exits with 1. Run it again after an interruption: it finishes the import.',
  )
  .argument('<FILE>')
  .action(
    run(async (context, file) => {
      const { db, now, print, warn } = context
      const { emails, keys, webhooks, leftOut } = await readV1(readText(file))

      const made = await importAccounts(db, emails, now())
      const { imported, taken } = await importKeys(db, keys, now())
      const stored = await importWebhooks(webhooks, context)

      for (const position of taken)
        leftOut.push(`${position} left out: another account has this key`)
      for (const line of leftOut) warn(line)
      print(`accounts: ${made} made, ${emails.length - made} known`)
      print(`keys: ${imported} imported, ${keys.length - imported - taken.length} known`)
      print(`webhooks: ${stored} imported, ${webhooks.length - stored} known`)
      if (leftOut.length > 0) throw new CommandError(`${leftOut.length} left out, as told above`)
    }),
  )

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** An instant with Z or an offset, or a day, which means the start of that day in UTC. */
const instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).transform(Date.parse)

const keySchema = z
  .object({
    name: z.string().nullish(),
    key: z.string().refine(couldBeKey, 'is a key that no header can carry').nullish(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'is not 64 hexadecimal digits')
      .toLowerCase()
      .nullish(),
    createdAt: instant.nullish(),
  })
  .refine(({ key, sha256 }) => key ?? sha256, 'has neither key nor sha256')
  .transform(async ({ name, key, sha256, createdAt }) => {
    const hash = key ? await hashKey(key) : sha256!
    return {
      name: normalizeKeyName((name ?? '').slice(0, 60)) ?? 'Clave heredada',
      prefix: (key && inheritedPrefix(key)) || `sha256:${hash.slice(0, 8)}`,
      hash,
      isSame: !sha256 || sha256 === hash,
      createdAt: createdAt ?? null,
    }
  })
  .refine(({ isSame }) => isSame, 'has a sha256 that is not that of key')

const fileSchema = z.object({
  accounts: z.array(
    z.object({
      email: z
        .string()
        .refine((text) => normalizeEmail(text) !== null, 'is no e-mail address')
        .transform((text) => normalizeEmail(text)!),
      keys: z.array(keySchema).default([]),
      webhooks: z.array(z.record(z.string(), z.unknown())).default([]),
    }),
  ),
})

/**
 * What the file has, and a line for each webhook that cannot be imported (decision 47: v1's file).
 * Everything is checked before anything is imported. Messages name the position, not a key or a URL.
 */
async function readV1(text: string) {
  const json = parseJson(text)
  if (json === undefined) throw new CommandError('the file is not JSON')
  const { data, error } = await fileSchema.safeParseAsync(json)
  if (!data) {
    const { path, message } = error.issues[0]!
    throw new CommandError(`the file is not of v1: ${z.core.toDotPath(path)} ${message}`)
  }

  const keys = data.accounts.flatMap(({ email, keys }, index) =>
    keys.map((key, at) => ({ email, position: `accounts[${index}].keys[${at}]`, ...key })),
  )
  const webhooks: ({ email: string } & V1Webhook)[] = []
  const leftOut: string[] = []
  for (const [index, { email, ...account }] of data.accounts.entries())
    for (const [at, webhook] of account.webhooks.entries()) {
      const read = readWebhook(webhook)
      if (typeof read !== 'string') webhooks.push({ email, ...read })
      else leftOut.push(`accounts[${index}].webhooks[${at}] left out: ${read}`)
    }
  return { emails: data.accounts.map(({ email }) => email), keys, webhooks, leftOut }
}

interface V1Webhook {
  /** The id in v1, which the mark keeps. */
  reference: string
  pair: number
  /** Normalised. */
  url: string
  /** Null when the file has no readable one. */
  createdAt: Instant | null
}

/** The webhook in the file, or why it is left out: never its URL, which may be a secret. */
function readWebhook(webhook: Record<string, unknown>): V1Webhook | string {
  const { id, url, type, method, created_at: createdAt } = webhook
  if ((typeof id !== 'string' && typeof id !== 'number') || id === '') return 'no id'
  if (typeof method !== 'string' || method.toUpperCase() !== 'POST') return 'its method is not POST'

  const [currency = '', origin = ''] = String(type).split(/[_/]/)
  const pair = findPair(currency, origin)
  if (!pair) return 'its type is no pair of the catalogue'

  const destination = typeof url === 'string' ? checkDestination(url, []) : null
  if (!destination) return 'no url'
  if (!destination.ok) return `its url is refused (${destination.refusal.rule})`

  return {
    reference: String(id),
    pair: pair.id,
    url: destination.value.url,
    createdAt: typeof createdAt === 'string' ? Date.parse(createdAt) || null : null,
  }
}

/** Accounts or keys of one batch. */
const CHUNK = 100
/** Webhooks of one batch: each has a sealed URL of up to 3 kB. */
const WEBHOOKS_AT_ONCE = 20

/** Binds rows as one JSON value, each with a new id, and the instant of the import. */
function onRows<Row>(db: D1Database, sql: string, rows: readonly object[], now: Instant) {
  const withIds = rows.map((row) => ({ id: randomUuid(random), ...row }))
  const statement: Statement<Row> = db.prepare(sql).bind(JSON.stringify(withIds), now)
  return statement
}

/** Returns how many accounts are new. */
async function importAccounts(db: D1Database, emails: readonly string[], now: Instant) {
  let made = 0
  for (const chunk of chunksOf(emails, CHUNK)) {
    const rows = chunk.map((email) => ({ email }))
    made += (await onRows(db, ACCOUNTS, rows, now).all()).results.length
  }
  return made
}

const ACCOUNTS = `
  insert into accounts (id, name, email, email_verified, created_at, updated_at)
  select value ->> 'id', '', value ->> 'email', 0, ?2, ?2 from json_each(?1) where true
  on conflict (email) do nothing returning id`

/** Imports keys of existing accounts. `taken`: the positions of keys that another account has. */
export async function importKeys(
  db: D1Database,
  keys: readonly { email: string; hash: string; position: string }[],
  now: Instant,
) {
  let imported = 0
  const taken: string[] = []
  for (const chunk of chunksOf(keys, CHUNK)) {
    const done = await namedBatch(db, {
      imported: onRows(db, KEYS, chunk, now),
      marked: onRows<{ owner: string }>(db, KEY_MARKS, chunk, now),
    })
    imported += done.imported.results.length
    const owners = new Set(done.marked.results.map(({ owner }) => owner))
    for (const { email, hash, position } of chunk)
      if (!owners.has(`${email} ${hash}`)) taken.push(position)
  }
  return { imported, taken }
}

const KEYS = `
  insert into api_keys (id, account_id, name, prefix, hash, inherited, created_at)
  select value ->> 'id', accounts.id, value ->> 'name', value ->> 'prefix', value ->> 'hash', 1,
    coalesce(value ->> 'createdAt', ?2)
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
 * Imports webhooks of existing accounts, also more than five, paused until their owners activate
 * them (decision 22: states of a webhook). Returns the number of new ones: the others were imported
 * earlier, even if they were deleted since.
 */
async function importWebhooks(
  webhooks: readonly ({ email: string } & V1Webhook)[],
  context: AdminContext,
): Promise<number> {
  if (webhooks.length === 0) return 0
  const { db, now } = context
  const keyring = await requireKeyring(context)
  // If an account has a webhook twice, the first one counts.
  const byId = Map.groupBy(webhooks, ({ email, reference }) => `${email} ${reference}`)
  const distinct = [...byId.values()].map(([first]) => first!)
  let imported = 0
  for (const chunk of chunksOf(distinct, WEBHOOKS_AT_ONCE)) {
    const sealed = chunk.map(async (webhook) => {
      const id = randomUuid(random)
      // Nobody knows this secret: a rotation shows the owner a new one.
      const fields = { url: webhook.url, authorization: null, secret: toHex(random(32)) }
      return {
        ...webhook,
        ...(await sealFields(keyring, id, fields)),
        id,
        operationId: randomUuid(random),
        destination: maskDestination(webhook.url),
      }
    })
    const { stored } = await namedBatch(db, {
      stored: onRows(db, WEBHOOKS, await Promise.all(sealed), now()),
      marked: onRows(
        db,
        WEBHOOK_MARKS,
        chunk.map(({ email, reference }) => ({ email, reference })),
        now(),
      ),
    })
    imported += stored.results.length
  }
  return imported
}

const WEBHOOKS = `
  insert into subscriptions (id, account_id, operation_id, kind, pair, destination,
    url_sealed, authorization_sealed, secret_sealed, state, source, version, revision,
    consecutive_failures, created_at)
  select value ->> 'id', accounts.id, value ->> 'operationId', 'webhook',
    value ->> 'pair', value ->> 'destination', value ->> 'url', null, value ->> 'secret',
    'inherited', 'v1', 1, 1, 0, coalesce(value ->> 'createdAt', ?2)
  from json_each(?1) join accounts on accounts.email = value ->> 'email'
  where not exists (select 1 from import_marks where account_id = accounts.id
    and kind = 'webhook' and reference = value ->> 'reference')
  returning id`

const WEBHOOK_MARKS = `
  insert into import_marks (account_id, kind, reference, created_at)
  select accounts.id, 'webhook', value ->> 'reference', ?2
  from json_each(?1) join accounts on accounts.email = value ->> 'email' where true
  on conflict do nothing`
