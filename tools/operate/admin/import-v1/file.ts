import * as z from 'zod'
import { parseJson } from '../../../support/parse-json.ts'
import type { Instant } from '../../../../shared/argentine-time.ts'
import {
  couldBeKey,
  hashKey,
  inheritedPrefix,
  normalizeKeyName,
} from '../../../../shared/access/api-key.ts'
import { normalizeEmail } from '../../../../shared/db/accounts/accounts.ts'
import type { InheritedAccount } from '../../../../shared/db/accounts/inherited-keys.ts'
import { AdminError } from '../command.ts'

/** What the predecessor's file has of a webhook; `import-v1/webhooks.ts` makes sense of it. */
export type PredecessorWebhook = Record<string, unknown>

export interface PredecessorAccount extends InheritedAccount {
  webhooks: PredecessorWebhook[]
}

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
export async function readPredecessorFile(
  text: string,
  now: Instant,
): Promise<PredecessorAccount[]> {
  const json = parseJson(text)
  if (json === undefined) throw new AdminError('the file is not JSON')
  const file = fileSchema.safeParse(json)
  if (!file.success) {
    const [issue] = file.error.issues
    throw new AdminError(`the file is not of v1: ${placeOf(issue!.path)} ${issue!.message}`)
  }

  const accounts: PredecessorAccount[] = []
  for (const [index, { email, keys, webhooks }] of file.data.accounts.entries()) {
    const read: PredecessorAccount['keys'] = []
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
): Promise<PredecessorAccount['keys'][number]> {
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
