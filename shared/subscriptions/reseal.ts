import type { Keyring } from '../crypto/keyring.ts'
import { isSealedWithCurrent } from '../crypto/sealed-box.ts'
import { resealFields } from './sealed-fields.ts'
import type { SealedFields } from './row.ts'

export interface ResealCounts {
  resealed: number
  current: number
  /** Rows with a field that no configured secret opens. They stay as they are. */
  unreadable: number
}

/** Webhooks per read. */
const PAGE = 100

/**
 * Seals every webhook's fields with the current secret, so that older secrets can be retired. The
 * write names what it read, so a row that changed meanwhile stays as it is.
 */
export async function resealSubscriptions(
  db: D1Database,
  keyring: Keyring,
  onPage: (done: number) => void = () => {},
): Promise<ResealCounts> {
  const counts: ResealCounts = { resealed: 0, current: 0, unreadable: 0 }

  for (let after = '', done = 0; ;) {
    const { results } = await db
      .prepare(
        `select id, url_sealed as url, authorization_sealed as "authorization",
           secret_sealed as secret from subscriptions where id > ?1 order by id limit ${PAGE}`,
      )
      .bind(after)
      .all<SealedFields & { id: string }>()
    for (const { id, ...sealed } of results) counts[await reseal(db, keyring, id, sealed)] += 1

    if (results.length < PAGE) return counts
    after = results.at(-1)!.id
    onPage((done += results.length))
  }
}

async function reseal(
  db: D1Database,
  keyring: Keyring,
  id: string,
  sealed: SealedFields,
): Promise<keyof ResealCounts> {
  if (isCurrent(keyring, sealed)) return 'current'

  const next = await resealFields(keyring, id, sealed)
  const { meta } = await db
    .prepare(
      `update subscriptions set url_sealed = ?5, authorization_sealed = ?6, secret_sealed = ?7
       where id = ?1 and url_sealed is ?2 and authorization_sealed is ?3 and secret_sealed = ?4`,
    )
    .bind(
      id,
      sealed.url,
      sealed.authorization,
      sealed.secret,
      next.url,
      next.authorization,
      next.secret,
    )
    .run()
  if (!isCurrent(keyring, next)) return 'unreadable'
  return meta.changes === 0 ? 'current' : 'resealed'
}

function isCurrent(keyring: Keyring, { url, authorization, secret }: SealedFields): boolean {
  return [url, authorization, secret].every(
    (field) => field === null || isSealedWithCurrent(keyring, field),
  )
}
