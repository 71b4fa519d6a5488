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
import { normalizeEmail } from '../../../shared/mail.ts'
import { findPair } from '../../../shared/market/catalog.ts'
import { ok, refuse } from '../../../shared/result.ts'
import { sealFields } from '../../../shared/subscriptions/sealed-fields.ts'
import {
  checkDestination,
  maskDestination,
} from '../../../shared/webhooks/destination/destination.ts'
import { parseJson } from '../../support/parse-json.ts'
import {
  chunksOf,
  type InheritedAccount,
  importInheritedKeys,
  importInheritedWebhooks,
} from '../import/inherited.ts'
import { randomBytes as random } from '../../support/random.ts'
import { listAccounts } from './accounts.ts'
import { adminCommand, type AdminContext, AdminError } from './command.ts'
import { requireKeyring } from './keyring.ts'

export const command = adminCommand(
  new Command('import-v1')
    .description(
      'Imports the accounts, keys and webhooks of the service before this one (v1); a second time it does nothing. The format of ' +
        'FILE is described in docs/import-v1.md. Nothing of a bad file is imported. It may have any ' +
        'number of keys and webhooks; one that was interrupted is finished by running it again.',
    )
    .argument('<FILE>'),
  async ([file], context) => {
    const { db, now, print } = context
    const accounts = await readPredecessorFile(readText(file), now())

    const counts = await importInheritedKeys(db, accounts, { now: now(), random })
    const webhooks = await importWebhooks(accounts, context)

    print(`accounts: ${counts.accountsMade} made, ${counts.accountsKnown} known`)
    print(
      `keys: ${counts.keysImported} imported, ${counts.keysKnown} known, ${counts.keysTaken} left out because another account has them`,
    )
    print(
      `webhooks: ${webhooks.imported} imported, ${webhooks.known} known, ${webhooks.leftOut} left out`,
    )
  },
  { makesState: true },
)

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new AdminError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** What the file has of a webhook. */
type PredecessorWebhook = Record<string, unknown>

/** An instant with Z or an offset, or a day, which stands for its start in UTC. */
const instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).transform(Date.parse)

const keySchema = z
  .object({
    name: z.string().nullish(),
    key: z.string().min(1).nullish(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'is not 64 hexadecimal digits')
      .nullish(),
    createdAt: instant.nullish(),
  })
  .refine(({ key, sha256 }) => key || sha256, 'has neither key nor sha256')

const fileSchema = z.object({
  accounts: z.array(
    z.object({
      email: z.string().refine((text) => normalizeEmail(text) !== null, 'is no e-mail address'),
      keys: z.array(keySchema).default([]),
      webhooks: z.array(z.record(z.string(), z.unknown())).default([]),
    }),
  ),
})

/**
 * The accounts of the predecessor's file, secrets already hashed (decision 47: v1's file). All of it is checked
 * before anything is imported. Messages name the place, never a key.
 */
export async function readPredecessorFile(text: string, now: Instant) {
  const json = parseJson(text)
  if (json === undefined) throw new AdminError('the file is not JSON')
  const file = fileSchema.safeParse(json)
  if (!file.success) {
    const [issue] = file.error.issues
    throw new AdminError(`the file is not of v1: ${placeOf(issue!.path)} ${issue!.message}`)
  }

  const accounts: (InheritedAccount & { webhooks: PredecessorWebhook[] })[] = []
  for (const [index, { email, keys, webhooks }] of file.data.accounts.entries()) {
    const read: InheritedAccount['keys'] = []
    for (const [at, key] of keys.entries())
      read.push(await readKey(key, `accounts[${index}].keys[${at}]`, now))
    accounts.push({ email: normalizeEmail(email)!, keys: read, webhooks })
  }
  return accounts
}

async function readKey(
  { name, key, sha256, createdAt }: z.infer<typeof keySchema>,
  place: string,
  now: Instant,
): Promise<InheritedAccount['keys'][number]> {
  const hash = key ? await hashKey(key) : sha256!.toLowerCase()
  if (key && !couldBeKey(key))
    throw new AdminError(`${place}: no header can carry this key, so it could never be used`)
  if (key && sha256 && sha256.toLowerCase() !== hash)
    throw new AdminError(`${place}: sha256 is not that of key`)

  return {
    name: normalizeKeyName((name ?? '').slice(0, 60)) ?? 'Clave heredada',
    prefix: (key && inheritedPrefix(key)) || `sha256:${hash.slice(0, 8)}`,
    hash,
    createdAt: createdAt ?? now,
  }
}

/** `accounts[3].keys[0].sha256` */
function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}

/** Webhooks of one batch: each has a sealed URL of up to 3 kB, a remote statement at most 100. */
const CHUNK = 20

/**
 * Imports the webhooks of the predecessor's accounts, which exist already. Valid ones are stored paused,
 * also above five; the others are named with the reason and left out. Of those that an account has
 * twice the first stays.
 */
async function importWebhooks(
  accounts: Awaited<ReturnType<typeof readPredecessorFile>>,
  context: AdminContext,
) {
  const { db, now, warn } = context
  const all = accounts.flatMap(({ email, webhooks }) =>
    webhooks.map((webhook) => ({ email, webhook })),
  )
  /** Known: imported earlier, even if deleted since. */
  const counts = { imported: 0, known: 0, leftOut: 0 }
  if (all.length === 0) return counts

  const ids = new Map((await listAccounts(db)).map(({ email, id }) => [email, id]))
  const valid = new Map<string, WebhookOfFile & { accountId: string }>()
  for (const { email, webhook } of all) {
    const read = readWebhook(webhook)
    const key = read.ok ? `${email} ${read.value.reference}` : ''
    if (!read.ok) {
      warn(`${email}: webhook ${String(webhook['id'])} left out: ${read.refusal}`)
      counts.leftOut++
    } else if (valid.has(key)) counts.known++
    else valid.set(key, { ...read.value, accountId: ids.get(email)! })
  }

  const keyring = await requireKeyring(context)
  for (const some of chunksOf([...valid.values()], CHUNK)) {
    const at = now()
    const chunk = await Promise.all(
      some.map(async ({ url, pair, createdAt, ...webhook }) => {
        const id = randomUuid(random)
        // A secret that nobody has seen: a rotation shows the owner a new one.
        const fields = { url, authorization: null, secret: toHex(random(32)) }
        return {
          ...webhook,
          id,
          operationId: randomUuid(random),
          pair: pair.id,
          destination: maskDestination(url),
          sealed: await sealFields(keyring, id, fields),
          createdAt: createdAt ?? at,
        }
      }),
    )
    const stored = await importInheritedWebhooks(db, chunk, at)
    counts.imported += stored.length
    counts.known += chunk.length - stored.length
  }
  return counts
}

type WebhookOfFile = Extract<ReturnType<typeof readWebhook>, { ok: true }>['value']

/** What the file has of a webhook, or why it is left out: never its URL, which may be a secret. */
function readWebhook({ id, url, type, method, created_at: createdAt }: PredecessorWebhook) {
  if ((typeof id !== 'string' && typeof id !== 'number') || id === '') return refuse('no id')
  if (typeof method !== 'string' || method.toUpperCase() !== 'POST')
    return refuse('its method is not POST')

  const [currency = '', origin = ''] = String(type).split(/[_/]/)
  const pair = findPair(currency, origin)
  if (!pair) return refuse('its type is no pair of the catalogue')

  const destination = typeof url === 'string' ? checkDestination(url, []) : null
  if (!destination) return refuse('no url')
  if (!destination.ok) return refuse(`its url is refused (${destination.refusal.rule})`)

  return ok({
    reference: String(id),
    pair,
    /** Normalised. */
    url: destination.value.url,
    /** Null when the file gives none that can be read. */
    createdAt: typeof createdAt === 'string' ? Date.parse(createdAt) || null : null,
  })
}
