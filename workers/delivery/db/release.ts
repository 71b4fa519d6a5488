import type { Instant } from '../../../shared/argentine-time.ts'
import { releaseSettled } from '../../../shared/db/deliveries/outstanding.ts'
import type { Fence } from '../../../shared/db/deliveries/claim.ts'
import { ELIGIBILITY, isTooOld, STALE_MS } from '../../../shared/db/deliveries/open.ts'
import { tallyDead } from '../../../shared/db/deliveries/tallies.ts'

/**
 * The statements that give a claim back for a fault of our own: nothing was sent, and the attempt
 * does not count (decision 44: whose fault it is). `errorType` null: it found no place
 * in time, which is no fault. `nextAttemptAt` null: our faults have used up their attempts.
 */
export function releaseStatements(
  db: D1Database,
  claim: Fence,
  why: { errorType: 'interrupted' | 'configuration' | null; nextAttemptAt: Instant | null },
  now: Instant,
): D1PreparedStatement[] {
  const expires = why.nextAttemptAt !== null && isTooOld(claim.createdAt, why.nextAttemptAt)
  const nextAttemptAt = expires ? null : why.nextAttemptAt

  return [
    db
      .prepare(
        `update deliveries set
           (status, resolved_at) = (select
               case when ?4 is null then 'dead' when not is_eligible then 'cancelled'
                 when attempts = 1 then 'pending' else 'failed' end,
               case when ?4 is not null and is_eligible then null else ?5 end
             from ${ELIGIBILITY}),
           attempts = attempts - 1, releases = releases + ?6,
           error_type = coalesce(?3, error_type),
           last_attempt_at = previous_attempt_at,
           next_attempt_at = coalesce(?4, next_attempt_at), look_at = coalesce(?4 + ${STALE_MS}, look_at),
           lease_token = null, lease_until = null
         where id = ?1 and lease_token = ?2 and status = 'sending'
         returning id, status, next_attempt_at`,
      )
      .bind(
        claim.id,
        claim.token,
        expires ? 'expired' : why.errorType,
        nextAttemptAt,
        now,
        Number(why.errorType !== null),
      ),
    ...(nextAttemptAt === null ? [tallyDead(db, now)] : [releaseSettled(db, claim.id)]),
  ]
}
