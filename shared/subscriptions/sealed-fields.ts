import { type Keyring, seal, unseal } from '../crypto/sealed-box.ts'
import type { SealedFields } from '../db/subscriptions.ts'

/** The sealed fields of a subscription in clear text. */
export type ClearFields = SealedFields

const addressOf = (id: string, field: keyof ClearFields) => ({
  table: 'subscriptions',
  column: `${field}_sealed`,
  id,
})

/** Seals the given fields. Null stays null. */
export async function sealFields<Fields extends Partial<ClearFields>>(
  keyring: Keyring,
  id: string,
  clear: Fields,
): Promise<Fields> {
  const fields = Object.entries(clear) as [keyof ClearFields, string | null][]
  const sealed = fields.map(async ([field, text]) => [
    field,
    text === null ? null : await seal(keyring, addressOf(id, field), text),
  ])
  return Object.fromEntries(await Promise.all(sealed)) as Fields
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

/** All fields in clear text; null when a field cannot be opened. */
export async function openFields(
  keyring: Keyring,
  id: string,
  sealed: SealedFields,
): Promise<ClearFields | null> {
  const [url, authorization, secret] = await Promise.all([
    openField(keyring, id, 'url', sealed.url),
    openField(keyring, id, 'authorization', sealed.authorization),
    openField(keyring, id, 'secret', sealed.secret),
  ])
  const isLost =
    (url === null) !== (sealed.url === null) ||
    (authorization === null) !== (sealed.authorization === null)
  return isLost || secret === null ? null : { url, authorization, secret }
}
