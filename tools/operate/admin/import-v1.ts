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
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { ok, refuse } from '../../../shared/result.ts'
import { sealFields } from '../../../shared/subscriptions/sealed-fields.ts'
import {
  checkDestination,
  maskDestination,
} from '../../../shared/webhooks/destination/destination.ts'
import { chunksOf } from '../../support/chunks.ts'
import { parseJson } from '../../support/parse-json.ts'
import {
  type InheritedAccount,
  importInheritedKeys,
  importInheritedWebhooks,
} from '../import/inherited.ts'
import { randomBytes as random } from '../../support/random.ts'
import { listAccounts } from './account.ts'
import { CommandError } from '../../support/arguments.ts'
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
      const { accounts, webhooks, leftOut } = await readPredecessorFile(readText(file), now())

      const { taken, ...counts } = await importInheritedKeys(db, accounts, { now: now(), random })
      const stored = await importWebhooks(webhooks, context)

      for (const place of taken) leftOut.push(`${place} left out: another account has this key`)
      for (const line of leftOut) warn(line)
      print(`accounts: ${counts.accountsMade} made, ${counts.accountsKnown} known`)
      print(`keys: ${counts.keysImported} imported, ${counts.keysKnown} known`)
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
 * The accounts of the predecessor's file with hashed keys, their webhooks, and a line for each
 * webhook that cannot be imported (decision 47: v1's file). Everything is checked before anything
 * is imported. Messages name the place, never a key or a URL.
 */
export async function readPredecessorFile(text: string, now: Instant) {
  const json = parseJson(text)
  if (json === undefined) throw new CommandError('the file is not JSON')
  const file = fileSchema.safeParse(json)
  if (!file.success) {
    const [issue] = file.error.issues
    throw new CommandError(`the file is not of v1: ${placeOf(issue!.path)} ${issue!.message}`)
  }

  const accounts: InheritedAccount[] = []
  const webhooks: WebhookOfFile[] = []
  const leftOut: string[] = []
  for (const [index, account] of file.data.accounts.entries()) {
    const email = normalizeEmail(account.email)!
    const keys: InheritedAccount['keys'] = []
    for (const [at, key] of account.keys.entries())
      keys.push(await readKey(key, `accounts[${index}].keys[${at}]`, now))
    accounts.push({ email, keys })
    for (const [at, webhook] of account.webhooks.entries()) {
      const read = readWebhook(webhook)
      const place = `accounts[${index}].webhooks[${at}]`
      if (read.ok) webhooks.push({ email, ...read.value })
      else leftOut.push(`${place} left out: ${read.refusal}`)
    }
  }
  return { accounts, webhooks, leftOut }
}

async function readKey(
  { name, key, sha256, createdAt }: z.infer<typeof keySchema>,
  place: string,
  now: Instant,
): Promise<InheritedAccount['keys'][number]> {
  const hash = key ? await hashKey(key) : sha256!.toLowerCase()
  if (key && !couldBeKey(key))
    throw new CommandError(`${place}: no header can carry this key, so it could never be used`)
  if (key && sha256 && sha256.toLowerCase() !== hash)
    throw new CommandError(`${place}: sha256 is not that of key`)

  return {
    name: normalizeKeyName((name ?? '').slice(0, 60)) ?? 'Clave heredada',
    prefix: (key && inheritedPrefix(key)) || `sha256:${hash.slice(0, 8)}`,
    hash,
    place,
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

/** Webhooks of one batch: each has a sealed URL of up to 3 kB. */
const CHUNK = 20

/**
 * Imports webhooks of existing accounts, paused, also more than five. Returns the number of new
 * ones: the others were imported earlier, even if they were deleted since.
 */
async function importWebhooks(
  webhooks: readonly WebhookOfFile[],
  context: AdminContext,
): Promise<number> {
  if (webhooks.length === 0) return 0
  const { db, now } = context
  const keyring = await requireKeyring(context)
  const ids = new Map((await listAccounts(db)).map(({ email, id }) => [email, id]))
  // If an account has a webhook twice, the first one counts.
  const byId = Map.groupBy(webhooks, ({ email, reference }) => `${email} ${reference}`)
  const distinct = [...byId.values()].map(([first]) => first!)
  let imported = 0
  for (const some of chunksOf(distinct, CHUNK)) {
    const at = now()
    const chunk = await Promise.all(
      some.map(async ({ email, url, pair, createdAt, reference }) => {
        const id = randomUuid(random)
        // Nobody knows this secret: a rotation shows the owner a new one.
        const fields = { url, authorization: null, secret: toHex(random(32)) }
        return {
          id,
          accountId: ids.get(email)!,
          operationId: randomUuid(random),
          reference,
          pair: pair.id,
          destination: maskDestination(url),
          sealed: await sealFields(keyring, id, fields),
          createdAt: createdAt ?? at,
        }
      }),
    )
    imported += (await importInheritedWebhooks(db, chunk, at)).length
  }
  return imported
}

/** A webhook in the file that can be imported. */
interface WebhookOfFile {
  email: string
  reference: string
  pair: Pair
  /** Normalised. */
  url: string
  /** Null when the file has no readable one. */
  createdAt: Instant | null
}

/** The webhook in the file, or why it is left out: never its URL, which may be a secret. */
function readWebhook({ id, url, type, method, created_at: createdAt }: Record<string, unknown>) {
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
    url: destination.value.url,
    createdAt: typeof createdAt === 'string' ? Date.parse(createdAt) || null : null,
  })
}
