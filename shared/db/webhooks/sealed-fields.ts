import type { Keyring } from '../../crypto/keyring.ts'
import { isSealedWithCurrent, seal, unseal } from '../../crypto/sealed-box.ts'
import type { SealedFields } from './row.ts'

/** The sealed fields of a webhook in clear text. */
export interface ClearFields {
  url: string
  authorization: string | null
  secret: string
}

const COLUMN_OF = {
  url: 'url_sealed',
  authorization: 'authorization_sealed',
  secret: 'secret_sealed',
} as const satisfies Record<keyof ClearFields, string>

/** The sealed fields of a new webhook. */
export async function sealFields(
  keyring: Keyring,
  id: string,
  { url, authorization, secret }: ClearFields,
): Promise<SealedFields> {
  return {
    url: await sealField(keyring, id, 'url', url),
    authorization:
      authorization === null ? null : await sealField(keyring, id, 'authorization', authorization),
    secret: await sealField(keyring, id, 'secret', secret),
  }
}

async function sealField(
  keyring: Keyring,
  id: string,
  field: keyof ClearFields,
  text: string,
): Promise<string> {
  return seal(keyring, { table: 'webhooks', column: COLUMN_OF[field], id }, text)
}

/** The clear text of a field, or null when it cannot be opened. */
export async function openField(
  keyring: Keyring,
  id: string,
  field: keyof ClearFields,
  sealed: string,
): Promise<string | null> {
  const opened = await unseal(keyring, { table: 'webhooks', column: COLUMN_OF[field], id }, sealed)
  return opened.ok ? opened.value : null
}

/**
 * The sealed fields for a webhook's next write. Those in `changes` are sealed, the others resealed if
 * an older secret sealed them. A field that cannot be opened stays as it is.
 */
export async function resealFields(
  keyring: Keyring,
  id: string,
  sealed: SealedFields,
  changes: Partial<ClearFields> = {},
): Promise<SealedFields> {
  const next = async (field: keyof ClearFields, text: string) => {
    if (isSealedWithCurrent(keyring, text)) return text

    const clear = await openField(keyring, id, field, text)
    return clear === null ? text : sealField(keyring, id, field, clear)
  }
  const { url, authorization = sealed.authorization, secret } = changes

  return {
    url:
      url === undefined ? await next('url', sealed.url) : await sealField(keyring, id, 'url', url),
    authorization:
      authorization === null
        ? null
        : changes.authorization === undefined
          ? await next('authorization', authorization)
          : await sealField(keyring, id, 'authorization', authorization),
    secret:
      secret === undefined
        ? await next('secret', sealed.secret)
        : await sealField(keyring, id, 'secret', secret),
  }
}
