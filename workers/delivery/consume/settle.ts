import type { Instant } from '../../../shared/argentine-time.ts'
import { deliveredStatements, failureStatements } from '../../../shared/db/deliveries/settle.ts'
import { logFailure } from '../../../shared/log.ts'
import { releaseDelayMs, retryDelayMs, type Waits } from '../../../shared/webhooks/retry.ts'
import type { CompletedAttempt } from '../attempt/attempt.ts'
import { releaseStatements } from '../db/release.ts'

export interface Schedule {
  waits: Waits
  random: () => number
}

export interface SettleDeps extends Schedule {
  db: D1Database
  now: () => Instant
  sleep: (ms: number) => Promise<void>
}

/** What became of a row that a settle wrote. */
export interface Settled {
  status: string
  /** When the row itself is due again; null when it ended. */
  nextAttemptAt: Instant | null
}

/** By row id. A row is missing when it was delivered, was no longer ours, or was not written. */
type SettledRows = Map<number, Settled>

/**
 * Pauses between tries to write an outcome. The statements are fenced, so a try whose answer was
 * lost does no harm. After the last one the lease runs out, and the sweeper counts the attempt.
 */
const PAUSES_MS = [200, 1000, 3000]

/** After so many failures in a row the database is at fault, and the other outcomes wait too. */
const FAILURES_IN_A_ROW = 2

interface Written {
  settled: SettledRows
  /** Of the statements that follow; null when the database failed. */
  results: D1Result[] | null
  queries: number
}

/**
 * Writes how attempts ended, and whatever follows, in one round trip and one transaction. When that
 * fails, each outcome is written on its own, so none fails for another. Never rejects, and uses one
 * connection.
 */
export async function settle(
  deps: SettleDeps,
  completed: readonly CompletedAttempt[],
  followed: readonly D1PreparedStatement[],
  now: Instant,
): Promise<Written> {
  let queries = 0
  try {
    const settling = outcomeStatements(deps, completed, now)
    queries = settling.length + followed.length
    const results = await deps.db.batch([...settling, ...followed])
    const settled = settledOf(results.slice(0, settling.length))
    return { settled, results: results.slice(settling.length), queries }
  } catch (error) {
    logFailure('settle_failed', error, { rows: completed.length })
  }
  const alone = await settleOneByOne(deps, completed)
  return { settled: alone.settled, results: null, queries: queries + alone.queries }
}

async function settleOneByOne(deps: SettleDeps, completed: readonly CompletedAttempt[]) {
  const settled: [number, Settled][] = []
  let queries = 0
  let unwritten = completed
  for (const pause of [0, ...PAUSES_MS]) {
    if (unwritten.length === 0) break
    if (pause > 0) await deps.sleep(pause)
    const untried = [...unwritten]
    const failed: CompletedAttempt[] = []
    for (let inARow = 0; untried.length > 0 && inARow < FAILURES_IN_A_ROW;) {
      const one = untried.shift()!
      const statements = aloneStatements(deps, one)
      queries += statements.length
      try {
        settled.push(...settledOf(await deps.db.batch(statements)))
        inARow = 0
      } catch (error) {
        logFailure('settle_failed', error, { delivery: one.claim.deliveryId })
        failed.push(one)
        inARow += 1
      }
    }
    unwritten = [...untried, ...failed]
  }
  return { settled: new Map(settled), queries }
}

/** Read back: an earlier try whose answer was lost may have written it. */
function aloneStatements(deps: SettleDeps, one: CompletedAttempt): D1PreparedStatement[] {
  const readBack = `select id, status, next_attempt_at from deliveries where id = ?1`
  return [
    ...outcomeStatements(deps, [one], deps.now()),
    deps.db.prepare(readBack).bind(one.claim.id),
  ]
}

/** The statements that write how attempts ended, and when the next ones are due. */
function outcomeStatements(
  deps: SettleDeps,
  completed: readonly CompletedAttempt[],
  now: Instant,
): D1PreparedStatement[] {
  const delivered = completed.flatMap(({ claim, outcome }) =>
    outcome.status === 'delivered' ? [{ claim, code: outcome.code }] : [],
  )
  return [
    ...(delivered.length > 0 ? deliveredStatements(deps.db, delivered, now) : []),
    ...completed.flatMap((one) => notDelivered(deps, one, now)),
  ]
}

function notDelivered(
  { db, waits, random }: SettleDeps,
  { claim, outcome }: CompletedAttempt,
  now: Instant,
): D1PreparedStatement[] {
  const after = (delayMs: number | null) => (delayMs === null ? null : now + delayMs)

  switch (outcome.status) {
    case 'delivered':
      return []
    case 'failed': {
      const { code, errorType, retryAfterSeconds } = outcome
      const delay = retryDelayMs(waits, claim.attempts, random, retryAfterSeconds)
      return failureStatements(db, claim, { code, errorType, nextAttemptAt: after(delay) }, now)
    }
    case 'released': {
      const delay = releaseDelayMs(waits, claim.releases + 1, random)
      const { errorType } = outcome
      return releaseStatements(db, claim, { errorType, nextAttemptAt: after(delay) }, now)
    }
    case 'returned':
      return releaseStatements(db, claim, { errorType: null, nextAttemptAt: now }, now)
  }
}

function settledOf(results: readonly D1Result[]): SettledRows {
  const rows = results.flatMap(({ results }) => results) as {
    id: number
    status: string
    next_attempt_at: Instant
  }[]
  return new Map(
    rows.map(({ id, status, next_attempt_at: at }) => {
      const isWaiting = status === 'pending' || status === 'failed'
      return [id, { status, nextAttemptAt: isWaiting ? at : null }]
    }),
  )
}
