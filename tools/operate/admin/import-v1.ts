/**
 * Imports accounts, keys and webhooks of v1. Stores a mark for each key and webhook, so that a
 * second import skips it, even if it was rotated, revoked or deleted since. Every batch is complete
 * in itself, so an interrupted import can be repeated.
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
import type { Keyring } from '../../../shared/crypto/sealed-box.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
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
import { run } from './command.ts'
import { requireKeyring } from './keyring.ts'

export const importV1Command = new Command('import-v1')
  .description(
    'Imports the accounts, keys and webhooks of the predecessor of this service (v1); a second run changes nothing. ' +
      'docs/import-v1.md describes FILE. Imports nothing from a malformed file. Lists keys and webhooks that it ' +
      'leaves out, and then exits with 1. After an interruption, run the command again to finish the import.',
  )
  .argument('<FILE>')
  .action(
    run(async (context, file) => {
      const { db, now, print, warn } = context
      const { emails, keys, webhooks, leftOut } = await readV1(readText(file))
      const keyring = webhooks.length > 0 ? await requireKeyring(context) : null
      const sealed = await Promise.all(webhooks.map((webhook) => sealWebhook(webhook, keyring!)))

      const made = await importAccounts(db, emails, now())
      const keysImported = await importRows(db, 'key', keys, now())
      const webhooksImported = await importRows(db, 'webhook', sealed, now())

      for (const line of leftOut) warn(line)
      print(`accounts: ${made} made, ${emails.length - made} known`)
      print(`keys: ${keysImported} imported, ${keys.length - keysImported} known`)
      print(`webhooks: ${webhooksImported} imported, ${webhooks.length - webhooksImported} known`)
      if (leftOut.length > 0) throw new CommandError(`${leftOut.length} left out, as listed above`)
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
      /** The reference of the key's mark. */
      reference: hash,
      createdAt: createdAt ?? null,
    }
  })

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
 * The content of the file, and a line for each key and webhook that is left out (decision 47: v1's
 * file). Checks everything before anything is imported. Messages never contain a key or a URL.
 */
async function readV1(text: string) {
  const json = parseJson(text)
  if (json === undefined) throw new CommandError('the file is not JSON')
  const { data, error } = await fileSchema.safeParseAsync(json)
  if (!data) {
    const { path, message } = error.issues[0]!
    throw new CommandError(`the file is not of v1: ${z.core.toDotPath(path)} ${message}`)
  }

  const keys: (Owned & z.infer<typeof keySchema>)[] = []
  const webhooks: (Owned & V1Webhook)[] = []
  const leftOut: string[] = []
  /** The account of each key: the first account in the file that has it. */
  const owners = new Map<string, string>()
  for (const [index, { email, ...account }] of data.accounts.entries()) {
    for (const [at, key] of account.keys.entries()) {
      const owner = owners.get(key.reference) ?? email
      owners.set(key.reference, owner)
      if (owner === email) keys.push({ email, ...key })
      else leftOut.push(`accounts[${index}].keys[${at}] left out: another account has this key`)
    }
    for (const [at, webhook] of account.webhooks.entries()) {
      const read = readWebhook(webhook)
      if (typeof read !== 'string') webhooks.push({ email, ...read })
      else leftOut.push(`accounts[${index}].webhooks[${at}] left out: ${read}`)
    }
  }
  return { emails: data.accounts.map(({ email }) => email), keys, webhooks, leftOut }
}

/** A key or webhook with its account and the reference of its mark. */
interface Owned {
  email: string
  reference: string
}

interface V1Webhook {
  /** The id in v1, which is stored in the mark. */
  reference: string
  pair: number
  /** Normalised. */
  url: string
  /** Null when the file has no readable date. */
  createdAt: Instant | null
}

/** The webhook in the file, or why it is left out, without its URL, which may be a secret. */
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

/** Seals the URL and a new secret that nobody knows. A rotation gives its owner another secret. */
async function sealWebhook(webhook: Owned & V1Webhook, keyring: Keyring) {
  const id = randomUuid(random)
  const fields = { url: webhook.url, authorization: null, secret: toHex(random(32)) }
  const destination = maskDestination(webhook.url)
  return { ...webhook, ...(await sealFields(keyring, id, fields)), id, destination }
}

/** Returns the number of new accounts. */
async function importAccounts(db: D1Database, emails: readonly string[], now: Instant) {
  let made = 0
  for (const chunk of chunksOf(emails, ROWS_AT_ONCE.key)) {
    const rows = chunk.map((email) => ({ id: randomUuid(random), email }))
    const inserted = await db.prepare(INSERT_ACCOUNTS).bind(JSON.stringify(rows), now).all()
    made += inserted.results.length
  }
  return made
}

const INSERT_ACCOUNTS = `
  insert into accounts (id, name, email, email_verified, created_at, updated_at)
  select value ->> 'id', '', value ->> 'email', 0, ?2, ?2 from json_each(?1) where true
  on conflict (email) do nothing returning id`

/** Rows per batch. A webhook has a sealed URL of up to 3 kB. */
const ROWS_AT_ONCE = { key: 100, webhook: 20 }

/**
 * Imports keys or webhooks of existing accounts, also beyond the limit of five. Returns the number
 * of imported rows. All others were imported earlier, even if they were revoked or deleted since.
 */
export async function importRows(
  db: D1Database,
  kind: keyof typeof ROWS_AT_ONCE,
  rows: readonly Owned[],
  now: Instant,
): Promise<number> {
  const distinct = new Map(rows.map((row) => [`${row.email} ${row.reference}`, row]))
  let imported = 0
  for (const chunk of chunksOf([...distinct.values()], ROWS_AT_ONCE[kind])) {
    const withIds = chunk.map((row) => ({ id: randomUuid(random), ...row }))
    const marks = chunk.map(({ email, reference }) => ({ email, reference }))
    const { inserted } = await namedBatch(db, {
      inserted: db.prepare(INSERT[kind]).bind(JSON.stringify(withIds), now),
      marked: db.prepare(INSERT_MARKS).bind(JSON.stringify(marks), now, kind),
    })
    imported += inserted.results.length
  }
  return imported
}

const INSERT = {
  key: `
  insert into api_keys (id, account_id, name, prefix, hash, inherited, created_at)
  select value ->> 'id', accounts.id, value ->> 'name', value ->> 'prefix', value ->> 'reference',
    1, coalesce(value ->> 'createdAt', ?2)
  from json_each(?1) join accounts on accounts.email = value ->> 'email'
  where not exists (select 1 from import_marks where account_id = accounts.id
    and kind = 'key' and reference = value ->> 'reference')
  on conflict (hash) do nothing returning id`,
  /** Webhooks stay paused until their owners activate them (decision 22: states of a webhook). */
  webhook: `
  insert into subscriptions (id, account_id, operation_id, kind, pair, destination,
    url_sealed, authorization_sealed, secret_sealed, state, source, version, revision,
    consecutive_failures, created_at)
  select value ->> 'id', accounts.id, value ->> 'id', 'webhook', value ->> 'pair',
    value ->> 'destination', value ->> 'url', null, value ->> 'secret', 'inherited', 'v1', 1, 1,
    0, coalesce(value ->> 'createdAt', ?2)
  from json_each(?1) join accounts on accounts.email = value ->> 'email'
  where not exists (select 1 from import_marks where account_id = accounts.id
    and kind = 'webhook' and reference = value ->> 'reference')
  returning id`,
}

const INSERT_MARKS = `
  insert into import_marks (account_id, kind, reference, created_at)
  select accounts.id, ?3, value ->> 'reference', ?2
  from json_each(?1) join accounts on accounts.email = value ->> 'email' where true
  on conflict do nothing`
