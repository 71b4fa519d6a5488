import { openField } from '../../../../shared/subscriptions/sealed-fields.ts'
import type { SealedFields } from '../../../../shared/subscriptions/row.ts'
import { maskDestination } from '../../../../shared/webhooks/destination/destination.ts'
import type { Keyring } from '../../../../shared/crypto/keyring.ts'
import { type Check, foundBroken } from './check.ts'

const PAGE = 100

type Row = SealedFields & { id: string; destination: string | null }

/**
 * Opened fields are also checked: the URL must match the masked destination, the secret has 64
 * digits.
 */
export const sealedCheck: Check = {
  name: 'every sealed field opens, and is what its subscription says',
  async run({ db, keyring }) {
    if (!keyring)
      return { kind: 'not checked', why: 'give KEY_ENCRYPTION_KEYS or --secrets-file FILE' }

    let checked = 0
    const broken: string[] = []
    for (let after = ''; ;) {
      const { results } = await db
        .prepare(
          `select id, destination, url_sealed as url, authorization_sealed as "authorization",
             secret_sealed as secret from subscriptions where id > ?1 order by id limit ${PAGE}`,
        )
        .bind(after)
        .all<Row>()
      for (const row of results) if (!(await opens(keyring, row))) broken.push(row.id)

      checked += results.length
      if (results.length < PAGE) break
      after = results.at(-1)!.id
    }
    return foundBroken(checked, broken)
  },
}

async function opens(keyring: Keyring, { id, destination, ...sealed }: Row): Promise<boolean> {
  const [url, secret, authorization] = await Promise.all([
    openField(keyring, id, 'url', sealed.url),
    openField(keyring, id, 'secret', sealed.secret),
    sealed.authorization === null
      ? ''
      : openField(keyring, id, 'authorization', sealed.authorization),
  ])
  const isDestination =
    sealed.url === null
      ? destination === null
      : url !== null && URL.canParse(url) && maskDestination(url) === destination
  return isDestination && /^[0-9a-f]{64}$/.test(secret ?? '') && authorization !== null
}
