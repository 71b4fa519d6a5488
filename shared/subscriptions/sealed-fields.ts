import { type Keyring, isSealedWithCurrent, seal, unseal } from '../crypto/sealed-box.ts'
import type { SealedFields } from '../db/subscriptions.ts'

/** The sealed fields of a subscription in clear text. */
export type ClearFields = SealedFields

const addressOf = (id: string, field: keyof ClearFields) => ({
  table: 'subscriptions',
  column: `${field}_sealed`,
  id,
})

export function sealFields(
  keyring: Keyring,
  id: string,
  clear: ClearFields,
): Promise<SealedFields> {
  return resealFields(keyring, id, clear, clear)
}

/** The clear text of a field; null when the field is empty or cannot be opened. */
export async function openField(
  keyring: Keyring,
  id: string,
  field: keyof ClearFields,
  sealed: string | null,
): Promise<string | null> {
  if (sealed === null) return null
  const opened = await unseal(keyring, addressOf(id, field), sealed)
  return opened.ok ? opened.value : null
}

/**
 * The sealed fields for a subscription's next write. Fields in `changes` are sealed; the others are
 * resealed if an older secret sealed them. A field that cannot be opened is not changed.
 */
export async function resealFields(
  keyring: Keyring,
  id: string,
  sealed: SealedFields,
  changes: Partial<ClearFields> = {},
): Promise<SealedFields> {
  const next = async <Text extends string | null>(
    field: keyof ClearFields,
    stored: Text,
    changed: Text | undefined,
  ) => {
    const isKept = changed === undefined
    if (isKept && (stored === null || isSealedWithCurrent(keyring, stored))) return stored
    const clear = isKept ? await openField(keyring, id, field, stored) : changed
    if (clear === null) return isKept ? stored : changed
    return seal(keyring, addressOf(id, field), clear)
  }
  return {
    url: await next('url', sealed.url, changes.url),
    authorization: await next('authorization', sealed.authorization, changes.authorization),
    secret: await next('secret', sealed.secret, changes.secret),
  }
}
