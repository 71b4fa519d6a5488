import type { Instant } from '../../../shared/argentine-time.ts'
import type { Claim } from '../../../shared/db/deliveries/claim.ts'
import { LEASE_MS } from '../../../shared/db/deliveries/open.ts'
import type { CompletedAttempt } from '../attempt/attempt.ts'
import { DEADLINE_MS } from '../attempt/deadline.ts'
import { MAX_TRIES } from './settle.ts'

/**
 * How long after its start a run claims. Cloudflare gives 30 seconds to what goes on after a handler
 * has returned: these twelve, `LATE_MS`, an attempt of ten, and six to write the outcome. A slow
 * database may need two of the six for the round trip before.
 */
const CLAIM_MS = 12_000

/** How late after that the answer to a claim may come, for its attempt to end in time. */
const LATE_MS = 2000

/** How long before the end of its lease an attempt must end, to be written before the sweep. */
const WRITE_MS = 5000

/**
 * After how many queries a run claims no more. D1 allows 1,000. The rest is for two round trips of
 * `MAX_ROWS` failed attempts, and for the retries of the second: two for an outcome and six more.
 */
const MAX_QUERIES = 400

/** The most queries of a round trip without failed attempts, and of a failed attempt in it. */
const QUERIES_OF_ROUND_TRIP = 7
const QUERIES_OF_FAILED = 7

/** The most queries of an outcome that is written on its own. */
const QUERIES_ALONE = MAX_TRIES * (QUERIES_OF_FAILED + 1)

/** The time and the queries that the platform gives one invocation. */
export class RunBudget {
  readonly #now: () => Instant
  readonly #startedAt: Instant
  #queries = 0

  constructor(now: () => Instant) {
    this.#now = now
    this.#startedAt = now()
  }

  /** Whether nothing more may be claimed. */
  get isSpent(): boolean {
    return this.#now() - this.#startedAt > CLAIM_MS || this.#queries >= MAX_QUERIES
  }

  /**
   * Whether the database answered so late that the lease, or this invocation, could end before the
   * attempt does. The row would be sent again while it is being sent.
   */
  isTooLateFor(claim: Claim): boolean {
    const now = this.#now()
    return (
      now - claim.claimedAt > LEASE_MS - DEADLINE_MS - WRITE_MS ||
      now - this.#startedAt > CLAIM_MS + LATE_MS
    )
  }

  countRoundTrip(completed: readonly CompletedAttempt[]): void {
    const failed = completed.filter(({ outcome }) => outcome.status !== 'delivered')
    this.#queries += QUERIES_OF_ROUND_TRIP + QUERIES_OF_FAILED * failed.length
  }

  countWrittenAlone(outcomes: number): void {
    this.#queries += QUERIES_ALONE * outcomes
  }
}
