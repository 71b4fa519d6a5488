import { Command } from '@commander-js/extra-typings'
import type { Keyring } from '../../../shared/crypto/keyring.ts'
import { isSealedWithCurrent } from '../../../shared/crypto/sealed-box.ts'
import type { SealedFields } from '../../../shared/subscriptions/row.ts'
import { resealFields } from '../../../shared/subscriptions/sealed-fields.ts'
import { adminCommand } from './command.ts'
import { requireKeyring } from './keyring.ts'

export const resealCommand = adminCommand(
  new Command('reseal')
    .summary('Seals every webhook’s secrets with the current key-encryption secret.')
    .description(
      'Seals every webhook’s secrets with the current key-encryption secret. Put a new secret first ' +
        'in KEY_ENCRYPTION_KEYS, deploy, run this, then retire the old one. With --remote, give ' +
        'KEY_ENCRYPTION_KEYS in the environment: it cannot be read back.',
    ),
  async (_, context) => {
    const counts = await resealSubscriptions(context.db, requireKeyring(context))
    context.print(
      `webhooks: ${counts.resealed} resealed, ${counts.current} current already, ${counts.unreadable} unreadable`,
    )
  },
)

/** Webhooks per read. */
const PAGE = 100

/**
 * Seals every webhook's fields with the current secret, so that older secrets can be retired. The
 * write names what it read, so a row that changed meanwhile stays as it is. Unreadable are rows with
 * a field that no configured secret opens.
 */
export async function resealSubscriptions(db: D1Database, keyring: Keyring) {
  const counts = { resealed: 0, current: 0, unreadable: 0 }
  const isCurrent = ({ url, authorization, secret }: SealedFields) =>
    [url, authorization, secret].every(
      (field) => field === null || isSealedWithCurrent(keyring, field),
    )

  for (let after = '', size = PAGE; size === PAGE;) {
    const { results } = await db
      .prepare(
        `select id, url_sealed as url, authorization_sealed as "authorization",
           secret_sealed as secret from subscriptions where id > ?1 order by id limit ${PAGE}`,
      )
      .bind(after)
      .all<SealedFields & { id: string }>()
    size = results.length
    for (const { id, ...sealed } of results) {
      after = id
      if (isCurrent(sealed)) {
        counts.current += 1
        continue
      }
      const next = await resealFields(keyring, id, sealed)
      const isWritten = await replaceFields(db, id, sealed, next)
      counts[!isCurrent(next) ? 'unreadable' : isWritten ? 'resealed' : 'current'] += 1
    }
  }
  return counts
}

async function replaceFields(db: D1Database, id: string, was: SealedFields, is: SealedFields) {
  const { meta } = await db
    .prepare(
      `update subscriptions set url_sealed = ?5, authorization_sealed = ?6, secret_sealed = ?7
       where id = ?1 and url_sealed is ?2 and authorization_sealed is ?3 and secret_sealed = ?4`,
    )
    .bind(id, was.url, was.authorization, was.secret, is.url, is.authorization, is.secret)
    .run()
  return meta.changes > 0
}
