/** Rows of sign-ins: unused links, sessions, and counts of requested links. */
import type { Instant } from '../../../shared/argentine-time.ts'
import { namedBatch, type Statement } from '../../../shared/db/named-batch.ts'

/** Deletes expired sessions and verifications. */
export async function pruneSessions(db: D1Database, now: Instant): Promise<void> {
  await namedBatch(db, {
    sessions: db.prepare(`delete from sessions where expires_at <= ?1`).bind(now),
    verifications: db.prepare(`delete from verifications where expires_at <= ?1`).bind(now),
  })
}

export interface SignInQuota {
  /** Keyed hash of the counted address. */
  subject: string
  limit: number
  windowMs: number
}

/**
 * Counts one started sign-in against all quotas. If one quota is used up, counts against none and
 * returns when a sign-in may start again. One statement checks and counts, so concurrent requests
 * never exceed a limit. Also deletes old windows.
 */
export async function takeSignIn(
  db: D1Database,
  { quotas, now }: { quotas: SignInQuota[]; now: Instant },
): Promise<{ ok: true } | { ok: false; until: Instant }> {
  const list = JSON.stringify(quotas)

  const { taken, blocking } = await namedBatch(db, {
    pruned: db.prepare('delete from sign_in_quotas where until <= ?1').bind(now),
    taken: take(db, list, now),
    blocking: lastBlocking(db, list),
  })

  if (taken.results.length > 0) return { ok: true }
  return { ok: false, until: blocking.results[0]?.until ?? now }
}

function take(db: D1Database, quotas: string, now: Instant): Statement<{ until: Instant }> {
  return db
    .prepare(
      `insert into sign_in_quotas (subject, until, used)
       select value ->> 'subject', ?2 + (value ->> 'windowMs'), 1 from json_each(?1)
       where not exists (
         select 1 from sign_in_quotas as quota, json_each(?1) as requested
         where quota.subject = requested.value ->> 'subject'
           and quota.used >= requested.value ->> 'limit')
       on conflict (subject) do update set used = used + 1
       returning until`,
    )
    .bind(quotas, now)
}

function lastBlocking(db: D1Database, quotas: string): Statement<{ until: Instant | null }> {
  return db
    .prepare(
      `select max(until) as until from sign_in_quotas as quota, json_each(?1) as requested
       where quota.subject = requested.value ->> 'subject'
         and quota.used >= requested.value ->> 'limit'`,
    )
    .bind(quotas)
}
