import { Command } from '@commander-js/extra-typings'
import { type Keyring, isSealedWithCurrent } from '../../../shared/crypto/sealed-box.ts'
import type { SealedFields } from '../../../shared/db/subscriptions.ts'
import { openField, openFields, sealFields } from '../../../shared/subscriptions/sealed-fields.ts'
import { forgetKeys, sealText } from '../installation.ts'
import { CommandError } from '../../support/arguments.ts'
import { run } from './command.ts'
import { requireKeyring } from './keyring.ts'

export const resealCommand = new Command('reseal')
  .description(
    'Seals the fields of every webhook and alert with the current key-encryption secret. Put a new ' +
      'secret first in KEY_ENCRYPTION_KEYS, deploy, run this command, then remove the old secret. ' +
      'With --remote, set KEY_ENCRYPTION_KEYS in the environment, because it cannot be read back.',
  )
  .option(
    '--lost',
    'succeeds even if the keys do not open some webhooks; their owners have to create them again',
  )
  .action(
    run(async (context, { lost }) => {
      const { db, print } = context
      if (lost) await forgetKeys(db)
      const keyring = await requireKeyring(context)
      const { resealed, current, unreadable } = await resealSubscriptions(db, keyring)
      print(`webhooks: ${resealed} resealed, ${current} current already, ${unreadable} unreadable`)
      if (unreadable > 0 && !lost)
        throw new CommandError(
          'no key opens the unreadable webhooks: add the key that sealed them after the current key and run again',
        )
      await sealText(db, keyring)
    }),
  )

/** Rows per query. */
const PAGE = 100

/**
 * Seals the fields of every subscription with the current secret, so that older secrets can be
 * removed. Does not write a field that an edit has sealed meanwhile. A row counts as unreadable if
 * no configured secret opens one of its fields.
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
      const next = await resealed(keyring, id, sealed)
      const isWritten = !isCurrent(sealed) && (await replaceFields(db, id, sealed, next))
      const isReadable = (await openFields(keyring, id, next)) !== null
      counts[!isReadable ? 'unreadable' : isWritten ? 'resealed' : 'current'] += 1
    }
  }
  return counts
}

/** Seals all fields again, except fields that cannot be opened. */
async function resealed(keyring: Keyring, id: string, sealed: SealedFields): Promise<SealedFields> {
  const opened: Partial<SealedFields> = {}
  for (const field of ['url', 'authorization', 'secret'] as const) {
    const clear = await openField(keyring, id, field, sealed[field])
    if (clear !== null) opened[field] = clear
  }
  return { ...sealed, ...(await sealFields(keyring, id, opened)) }
}

async function replaceFields(db: D1Database, id: string, was: SealedFields, is: SealedFields) {
  const { meta } = await db
    .prepare(
      `update subscriptions set url_sealed = iif(url_sealed is ?2, ?5, url_sealed),
         authorization_sealed = iif(authorization_sealed is ?3, ?6, authorization_sealed),
         secret_sealed = iif(secret_sealed = ?4, ?7, secret_sealed)
       where id = ?1`,
    )
    .bind(id, was.url, was.authorization, was.secret, is.url, is.authorization, is.secret)
    .run()
  return meta.changes > 0
}
