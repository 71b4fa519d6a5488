import { and, eq, gt, lte } from 'drizzle-orm'
import type { Instant } from '../../argentine-time.ts'
import type { Database } from '../database.ts'
import { sessions, verifications } from '../schema.ts'

/** What a waiting verification holds, without using it up; null when used, expired or unknown. */
export async function peekVerification(
  db: Database,
  identifier: string,
  now: Instant,
): Promise<string | null> {
  const row = await db
    .select({ value: verifications.value })
    .from(verifications)
    .where(
      and(eq(verifications.identifier, identifier), gt(verifications.expiresAt, new Date(now))),
    )
    .get()

  return row?.value ?? null
}

/** Removes what can open nothing any more. */
export async function pruneSessions(db: Database, now: Instant): Promise<void> {
  const at = new Date(now)
  await db.batch([
    db.delete(sessions).where(lte(sessions.expiresAt, at)),
    db.delete(verifications).where(lte(verifications.expiresAt, at)),
  ])
}
