import type { Keyring } from '../crypto/keyring.ts'
import { isSealedWithCurrent, seal, unseal } from '../crypto/sealed-box.ts'
import type { SealedFields } from './row.ts'

/** The sealed fields of a webhook in clear text. */
export interface ClearFields {
  url: string | null
  authorization: string | null
  secret: string
}

const COLUMN_OF = {
  url: 'url_sealed',
  authorization: 'authorization_sealed',
  secret: 'secret_sealed',
} as const satisfies Record<keyof ClearFields, string>

/** The sealed fields of a new subscription. */
export async function sealFields(
  keyring: Keyring,
  id: string,
  { url, authorization, secret }: ClearFields,
): Promise<SealedFields> {
  return {
    url: await sealOrNull(keyring, id, 'url', url),
    authorization: await sealOrNull(keyring, id, 'authorization', authorization),
    secret: await sealField(keyring, id, 'secret', secret),
  }
}

async function sealField(
  keyring: Keyring,
  id: string,
  field: keyof ClearFields,
  text: string,
): Promise<string> {
  return seal(keyring, { table: 'subscriptions', column: COLUMN_OF[field], id }, text)
}

async function sealOrNull(
  keyring: Keyring,
  id: string,
  field: keyof ClearFields,
  text: string | null,
): Promise<string | null> {
  return text === null ? null : sealField(keyring, id, field, text)
}

/** The clear text of a field, or null when there is none or it cannot be opened. */
export async function openField(
  keyring: Keyring,
  id: string,
  field: keyof ClearFields,
  sealed: string | null,
): Promise<string | null> {
  if (sealed === null) return null
  const opened = await unseal(
    keyring,
    { table: 'subscriptions', column: COLUMN_OF[field], id },
    sealed,
  )
  return opened.ok ? opened.value : null
}

/**
 * The sealed fields for a subscription's next write. Those in `changes` are sealed; the others are
 * resealed if an older secret sealed them. A field that cannot be opened stays as it is.
 */
export async function resealFields(
  keyring: Keyring,
  id: string,
  sealed: SealedFields,
  changes: Partial<ClearFields> = {},
): Promise<SealedFields> {
  const next = async <Text extends string | null>(field: keyof ClearFields, text: Text) => {
    if (text === null || isSealedWithCurrent(keyring, text)) return text
    const clear = await openField(keyring, id, field, text)
    return clear === null ? text : sealField(keyring, id, field, clear)
  }
  const { url, authorization, secret } = changes

  return {
    url: await (url === undefined ? next('url', sealed.url) : sealOrNull(keyring, id, 'url', url)),
    authorization: await (authorization === undefined
      ? next('authorization', sealed.authorization)
      : sealOrNull(keyring, id, 'authorization', authorization)),
    secret: await (secret === undefined
      ? next('secret', sealed.secret)
      : sealField(keyring, id, 'secret', secret)),
  }
}
