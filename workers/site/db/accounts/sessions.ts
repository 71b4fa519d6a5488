import type { Instant } from '../../../../shared/argentine-time.ts'

/** The value of a waiting verification, which stays usable. Null when used, expired or unknown. */
export async function peekVerification(
  db: D1Database,
  identifier: string,
  now: Instant,
): Promise<string | null> {
  return db
    .prepare(`select value from verifications where identifier = ?1 and expires_at > ?2`)
    .bind(identifier, now)
    .first<string>('value')
}

/** Deletes expired sessions and verifications. */
export async function pruneSessions(db: D1Database, now: Instant): Promise<void> {
  await db.batch([
    db.prepare(`delete from sessions where expires_at <= ?1`).bind(now),
    db.prepare(`delete from verifications where expires_at <= ?1`).bind(now),
  ])
}
