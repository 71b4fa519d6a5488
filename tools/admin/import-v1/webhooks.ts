import { maskDestination } from '../../../shared/destination.ts'
import { sealField } from '../../../shared/db/management/sealed-fields.ts'
import { importInheritedWebhook } from '../../../shared/db/inherited-webhooks.ts'
import { toHex } from '../../../shared/hex.ts'
import type { Keyring } from '../../../shared/keyring.ts'
import { randomUuid } from '../../../shared/random.ts'
import type { AdminContext } from '../command.ts'
import { keyringOf } from '../keyring.ts'
import { random } from '../words.ts'
import type { V1Webhook } from './file.ts'
import { type ReadWebhook, readWebhook } from './read-webhook.ts'

export interface WebhookCounts {
  imported: number
  /** Imported earlier, be they deleted since. */
  known: number
  leftOut: number
}

/**
 * Imports the webhooks of one account of v1, which exists already. Valid ones are stored paused,
 * also above five; the others are named with the reason and left out.
 */
export async function importWebhooks(
  webhooks: readonly V1Webhook[],
  { accountId, email }: { accountId: string; email: string },
  context: Pick<AdminContext, 'db' | 'now' | 'warn' | 'remote' | 'stateDir'>,
): Promise<WebhookCounts> {
  const counts: WebhookCounts = { imported: 0, known: 0, leftOut: 0 }
  if (webhooks.length === 0) return counts

  const keyring = keyringOf(context)
  for (const webhook of webhooks) {
    const read = readWebhook(webhook)
    if (!read.ok) {
      context.warn(`${email}: webhook ${String(webhook['id'])} left out: ${read.refusal}`)
      counts.leftOut += 1
      continue
    }
    const stored = await store(context, keyring, accountId, read.value)
    counts[stored ? 'imported' : 'known'] += 1
  }
  return counts
}

/** With an operation id of its own and a secret that nobody has seen: rotation shows one. */
async function store(
  { db, now }: Pick<AdminContext, 'db' | 'now'>,
  keyring: Keyring,
  accountId: string,
  { reference, pair, url, createdAt }: ReadWebhook,
): Promise<boolean> {
  const id = randomUuid(random)
  const at = now()

  return importInheritedWebhook(
    db,
    {
      id,
      accountId,
      operationId: randomUuid(random),
      pair: pair.id,
      destination: maskDestination(url),
      sealed: {
        url: await sealField(keyring, id, 'url', url),
        authorization: null,
        secret: await sealField(keyring, id, 'secret', toHex(random(32))),
      },
      createdAt: createdAt ?? at,
      reference,
    },
    at,
  )
}
