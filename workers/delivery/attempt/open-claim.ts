import type { Claim } from '../../../shared/db/deliveries/claim.ts'
import type { Keyring } from '../../../shared/crypto/keyring.ts'
import { ok, refuse, type Result } from '../../../shared/result.ts'
import { unseal } from '../../../shared/crypto/sealed-box.ts'

/** What of a webhook's configuration an attempt uses. */
export interface OpenedClaim {
  url: string
  authorization: string | null
  secret: string | null
}

/**
 * The configuration of a claim in clear, or `configuration` when a field does not open or the
 * system destination is not configured any more (decision 44).
 */
export async function openClaim(
  { webhookId, sealed }: Pick<Claim, 'webhookId' | 'sealed'>,
  { keyring, systemUrl }: { keyring: () => Keyring; systemUrl: string | undefined },
): Promise<Result<OpenedClaim, 'configuration'>> {
  if (!sealed)
    return systemUrl === undefined
      ? refuse('configuration')
      : ok({ url: systemUrl, authorization: null, secret: null })

  try {
    const keys = keyring()
    const open = (column: string, text: string) =>
      unseal(keys, { table: 'webhooks', column, id: webhookId }, text)
    const [url, secret, authorization] = await Promise.all([
      open('url_sealed', sealed.url),
      open('secret_sealed', sealed.secret),
      sealed.authorization === null ? ok(null) : open('authorization_sealed', sealed.authorization),
    ])
    if (!url.ok || !secret.ok || !authorization.ok) return refuse('configuration')
    return ok({ url: url.value, secret: secret.value, authorization: authorization.value })
  } catch {
    // KEY_ENCRYPTION_KEYS is missing or malformed.
    return refuse('configuration')
  }
}
