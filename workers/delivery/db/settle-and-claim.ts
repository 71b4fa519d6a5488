import type { Instant } from '../../../shared/argentine-time.ts'
import {
  type Claims,
  claimsOf,
  claimStatements,
  type Wanted,
} from '../../../shared/db/deliveries/claim.ts'

/** What became of a row that a settle wrote. */
export interface Settled {
  status: string
  /** When the row itself is due again; null when it ended. */
  nextAttemptAt: Instant | null
}

export interface SettledAndClaimed extends Claims {
  /** By row id. Delivered rows are missing, and those whose claim did not hold any more. */
  settled: Map<number, Settled>
}

interface SettledRow {
  id: number
  status: string
  next_attempt_at: Instant
}

/**
 * One round trip and one transaction of the engine: writes how attempts ended, then claims what may
 * be sent next.
 */
export async function settleAndClaim(
  db: D1Database,
  {
    settling = [],
    wanted,
  }: { settling?: readonly D1PreparedStatement[]; wanted?: Wanted | undefined },
  now: Instant,
): Promise<SettledAndClaimed> {
  const claiming = wanted ? claimStatements(db, wanted, now) : []

  const results = await db.batch([...settling, ...claiming])
  const written = results.slice(0, settling.length).flatMap(({ results }) => results)
  return {
    settled: new Map((written as unknown as SettledRow[]).map((row) => [row.id, settledOf(row)])),
    ...(wanted ? claimsOf(results.slice(settling.length), wanted, now) : NOTHING_CLAIMED),
  }
}

/** The statement that reads what an earlier settle has written, in the columns that settles return. */
export function readSettled(db: D1Database, id: number): D1PreparedStatement {
  return db.prepare(`select id, status, next_attempt_at from deliveries where id = ?1`).bind(id)
}

const NOTHING_CLAIMED: Claims = { claims: [], waiting: [] }

function settledOf({ status, next_attempt_at: at }: SettledRow): Settled {
  const isWaiting = status === 'pending' || status === 'failed'
  return { status, nextAttemptAt: isWaiting ? at : null }
}
