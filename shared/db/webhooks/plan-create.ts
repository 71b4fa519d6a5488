import { findPair } from '../../market/catalog.ts'
import { checkDestination, maskDestination } from '../../webhooks/destination/destination.ts'
import { toHex } from '../../crypto/hex.ts'
import { randomUuid } from '../../crypto/random.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { createWebhook } from './create.ts'
import { findByOperation } from './read.ts'
import type { StoredWebhook } from './row.ts'
import type { Management, RefusedDestination } from './context.ts'
import { sealField } from './sealed-fields.ts'

export interface NewSubscription {
  operationId: string
  url: string
  currency: string
  origin: string
  enabled: boolean
  receiverAuthorization?: string | undefined
}

export type CreateRefusal =
  | 'unknown_pair'
  | 'admission_closed'
  | 'limit_reached'
  | RefusedDestination

/** The secret is null when the operation was made before: nobody is shown one twice. */
export type Created = { webhook: StoredWebhook; secret: string | null }

const SECRET_BYTES = 32

/** Makes a webhook for an account, once per operation id, whatever a repetition says. */
export async function createSubscription(
  management: Management,
  accountId: string,
  wanted: NewSubscription,
): Promise<Result<Created, CreateRefusal>> {
  const { db, keyring, ownHosts, admitted, now, random } = management

  const pair = findPair(wanted.currency, wanted.origin)
  if (!pair) return refuse('unknown_pair')
  const destination = checkDestination(wanted.url, ownHosts)
  if (!destination.ok) return refuse({ refusedDestination: destination.refusal.reason })

  if (!admitted) {
    const made = await findByOperation(db, accountId, wanted.operationId)
    return made ? ok({ webhook: made, secret: null }) : refuse('admission_closed')
  }

  const { url } = destination.value
  const id = randomUuid(random)
  const secret = toHex(random(SECRET_BYTES))
  const authorization = wanted.receiverAuthorization
  const created = await createWebhook(db, {
    id,
    accountId,
    operationId: wanted.operationId,
    pair: pair.id,
    destination: maskDestination(url),
    sealed: {
      url: await sealField(keyring, id, 'url', url),
      authorization:
        authorization === undefined
          ? null
          : await sealField(keyring, id, 'authorization', authorization),
      secret: await sealField(keyring, id, 'secret', secret),
    },
    enabled: wanted.enabled,
    createdAt: now,
  })
  if (!created.ok) return created

  const { webhook, created: isNew } = created.value
  return ok({ webhook, secret: isNew ? secret : null })
}
