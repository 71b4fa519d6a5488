import { toHex } from '../../crypto/hex.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { findWebhook } from './read.ts'
import { rotateSecret, type RotateRefusal } from './rotate.ts'
import type { Created } from './plan-create.ts'
import type { Management } from './context.ts'
import { resealFields } from './sealed-fields.ts'

const SECRET_BYTES = 32

/** Gives a webhook a new secret; the old one is gone at once. */
export async function rotateSubscription(
  { db, keyring, now, random }: Management,
  accountId: string,
  { id, version }: { id: string; version: number },
): Promise<Result<Created, RotateRefusal>> {
  const webhook = await findWebhook(db, accountId, id)
  if (!webhook) return refuse('not_found')
  if (webhook.version !== version) return refuse('version_changed')

  const secret = toHex(random(SECRET_BYTES))
  const sealed = await resealFields(keyring, id, webhook.sealed, { secret })
  const rotated = await rotateSecret(db, { id, accountId, version, sealed }, now)
  return rotated.ok ? ok({ webhook: rotated.value, secret }) : rotated
}
