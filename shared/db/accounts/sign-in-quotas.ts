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
        `insert into sign_in_quotas (subject, until, used)
         select value ->> 'subject', ?2, 1 from json_each(?1)
         where not exists (
           select 1 from sign_in_quotas as quota, json_each(?1) as asked
           where quota.subject = asked.value ->> 'subject' and quota.used >= asked.value ->> 'limit')
         on conflict (subject) do update set used = used + 1
         returning until`,
      )
      .bind(list, now + windowMs),
    d1
      .prepare(
        `select max(until) as until from sign_in_quotas as quota, json_each(?1) as asked
         where quota.subject = asked.value ->> 'subject' and quota.used >= asked.value ->> 'limit'`,
      )
      .bind(list),
  ])

  if (taken!.results.length > 0) return { ok: true }
  return { ok: false, until: blocking!.results[0]?.until ?? now + windowMs }
}
