import type { Instant } from '../../argentine-time.ts'
import type { Database } from '../database.ts'

export interface SignInQuota {
  /** Keyed hash of what is counted. */
  subject: string
  limit: number
}

/**
 * Counts one sign-in link against all quotas, or against none when one of them is used up: then
 * answers the instant at which it may be asked again. One statement judges and counts, so that
 * links asked for together never get past a limit. Old windows are pruned on the way.
 */
export async function takeSignIn(
  db: Database,
  { quotas, windowMs, now }: { quotas: SignInQuota[]; windowMs: number; now: Instant },
): Promise<{ ok: true } | { ok: false; until: Instant }> {
  const list = JSON.stringify(quotas)
  const { $client: d1 } = db

  const [, taken, blocking] = await d1.batch<{ until: Instant }>([
    d1.prepare('DELETE FROM sign_in_quotas WHERE until <= ?1').bind(now),
    d1
      .prepare(
        `INSERT INTO sign_in_quotas (subject, until, used)
         SELECT value ->> 'subject', ?2, 1 FROM json_each(?1)
         WHERE NOT EXISTS (
           SELECT 1 FROM sign_in_quotas AS quota, json_each(?1) AS asked
           WHERE quota.subject = asked.value ->> 'subject' AND quota.used >= asked.value ->> 'limit')
         ON CONFLICT (subject) DO UPDATE SET used = used + 1
         RETURNING until`,
      )
      .bind(list, now + windowMs),
    d1
      .prepare(
        `SELECT max(until) AS until FROM sign_in_quotas AS quota, json_each(?1) AS asked
         WHERE quota.subject = asked.value ->> 'subject' AND quota.used >= asked.value ->> 'limit'`,
      )
      .bind(list),
  ])

  if (taken!.results.length > 0) return { ok: true }
  return { ok: false, until: blocking!.results[0]?.until ?? now + windowMs }
}
