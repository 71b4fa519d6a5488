import type { Instant } from '../../../shared/argentine-time.ts'
import {
  type Claim,
  claimsOf,
  claimStatement,
  LEASE_MS,
} from '../../../shared/db/deliveries/claim.ts'
import {
  deliveredStatements,
  failedStatements,
  releasedStatement,
} from '../../../shared/db/deliveries/settle.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import { log, logFailure } from '../../../shared/log.ts'
import { enqueue, type EnqueueDeps } from '../../../shared/webhooks/enqueue.ts'
import type { Waits } from '../../../shared/config/config.ts'
import { releaseDelayMs, retryDelayMs } from '../../../shared/webhooks/retry.ts'
import { type AttemptDeps, DEADLINE_MS, type Outcome, runAttempt } from '../attempt/attempt.ts'

export interface RunDeps extends AttemptDeps, EnqueueDeps {
  db: D1Database
  now: () => Instant
  sleep: (ms: number) => Promise<void>
  /** A unique token for a claim. */
  newToken: () => string
  waits: Waits
  random: () => number
}

/**
 * The maximum of parallel attempts per invocation. An invocation may have six connections that wait
 * for a response head; a seventh would wait while its attempt's deadline runs. One of the six is
 * left for the database and the queue.
 */
export const MAX_CONNECTIONS = 6 - 1

/** The maximum of parallel attempts to one host while the run has claims for other hosts. */
const CONNECTIONS_OF_HOST = 2

/**
 * A run claims until this long after its start. Cloudflare allows 30 seconds after a handler has
 * returned: these twelve, two of `LATE_MS`, ten for an attempt, and six to write the outcome. A
 * slow database may need two of the six for the previous round trip.
 */
const CLAIM_MS = 12_000

/** An attempt may start until this long after `CLAIM_MS`. */
const LATE_MS = 2000

/** An attempt must end this long before its lease, to be written before a sweep finds the row. */
const WRITE_MS = 5000

/** While claims wait and every connection is in use, one round trip writes this many outcomes. */
const GATHERED = 20

/** If no attempt has started or ended for this long, the waiting claims go to other runs. */
const NO_PROGRESS_MS = 2000

/** After this many queries, a run claims no more. D1 allows 1,000; the rest is for outcomes. */
const MAX_QUERIES = 300

/** Pauses before each try to write outcomes one by one. After the last, a sweep settles them. */
const PAUSES_MS = [0, 200, 1000, 3000]

/** A claim whose attempt ended and whose outcome is not yet written. */
interface Ended {
  claim: Claim
  outcome: Outcome
  ms: number
  /** Null if the delivery succeeded or this was the last attempt. */
  nextAttemptAt: Instant | null
}

/**
 * The work that one batch of hints starts. Each claim waits for one of five connections and is
 * sent. Outcomes collect during a round trip to the database. The next round trip writes them all,
 * and claims the next row of each order. Claims without a connection in time are released.
 */
export class Run {
  readonly #deps: RunDeps
  readonly startedAt: Instant
  /** Claims without a written outcome: waiting, in flight, or ended. */
  readonly #held = new Set<Claim>()
  #waiting: Claim[] = []
  /** The hosts of the attempts in flight. */
  readonly #hosts: string[] = []
  #ended: Ended[] = []
  /** When an attempt last started or ended. */
  #movedAt: Instant
  #isTimed = false
  #queries = 0
  #event = Promise.withResolvers<void>()

  constructor(deps: RunDeps) {
    this.#deps = deps
    this.startedAt = this.#movedAt = deps.now()
  }

  /** The number of claims without a written outcome. */
  get held(): number {
    return this.#held.size
  }

  /** Claims the rows that are due and starts attempts. Rejects when the database fails. */
  claim(ids: readonly number[]): Promise<void> {
    return this.#commit([], ids)
  }

  /** Runs until every outcome is written. Never rejects. */
  async finish(): Promise<void> {
    while (this.#held.size > 0) {
      this.#releaseLate()
      if (this.#isTimeToWrite) await this.#write()
      else await this.#nextEvent()
    }
  }

  /** Sends the claims that have waited longest over free connections, within the limit per host. */
  #begin(): void {
    const isMixed = new Set([...this.#held].map(({ host }) => host)).size > 1
    const room = isMixed ? CONNECTIONS_OF_HOST : MAX_CONNECTIONS
    const hasRoom = ({ host }: Claim) =>
      this.#hosts.filter((sending) => sending === host).length < room

    while (this.#hosts.length < MAX_CONNECTIONS) {
      const at = this.#waiting.findIndex((claim) => hasRoom(claim) && !this.#isTooLateFor(claim))
      if (at === -1) return
      void this.#send(this.#waiting.splice(at, 1)[0]!)
    }
  }

  async #send(claim: Claim): Promise<void> {
    const startedAt = this.#deps.now()
    this.#hosts.push(claim.host)
    this.#movedAt = startedAt
    const outcome = await runAttempt(this.#deps, claim)
    this.#hosts.splice(this.#hosts.indexOf(claim.host), 1)
    this.#movedAt = this.#deps.now()
    this.#end(claim, outcome, this.#movedAt - startedAt)
    this.#begin()
    this.#wake()
  }

  #end(claim: Claim, outcome: Outcome, ms: number): void {
    const delay = delayAfter(this.#deps, claim, outcome)
    const nextAttemptAt = delay === null ? null : this.#deps.now() + delay
    this.#ended.push({ claim, outcome, ms, nextAttemptAt })
  }

  /** Outcomes may collect while all connections are in use: a new claim could not start anyway. */
  get #isTimeToWrite(): boolean {
    const isBusy = this.#waiting.length > 0 && this.#hosts.length === MAX_CONNECTIONS
    return this.#ended.length >= (isBusy ? GATHERED : 1)
  }

  /** Whether the run must not claim more rows. */
  get #isOver(): boolean {
    return this.#deps.now() - this.startedAt > CLAIM_MS || this.#queries > MAX_QUERIES
  }

  /**
   * Whether the lease or this invocation could end before an attempt that starts now. Then another
   * run would send the row a second time.
   */
  #isTooLateFor({ claimedAt }: Claim): boolean {
    const now = this.#deps.now()
    return (
      now - claimedAt > LEASE_MS - DEADLINE_MS - WRITE_MS ||
      now - this.startedAt > CLAIM_MS + LATE_MS
    )
  }

  #releaseLate(): void {
    const areAll = this.#isOver || this.#deps.now() - this.#movedAt >= NO_PROGRESS_MS
    const late = this.#waiting.filter((claim) => areAll || this.#isTooLateFor(claim))
    this.#waiting = this.#waiting.filter((claim) => !late.includes(claim))
    for (const claim of late) this.#end(claim, { status: 'released', errorType: null }, 0)
  }

  /** Waits for the end of an attempt, but at most `NO_PROGRESS_MS` while claims wait. */
  async #nextEvent(): Promise<void> {
    if (this.#waiting.length > 0 && !this.#isTimed) {
      this.#isTimed = true
      void this.#deps.sleep(NO_PROGRESS_MS).then(() => {
        this.#isTimed = false
        this.#wake()
      })
    }
    await this.#event.promise
  }

  #wake(): void {
    this.#event.resolve()
    this.#event = Promise.withResolvers()
  }

  /** Writes outcomes. Claims the next rows of their orders, or enqueues hints for other runs. */
  async #write(): Promise<void> {
    const ended = this.#ended.splice(0)
    const ids = ended
      .filter(({ outcome }) => !gotNoConnection(outcome))
      .map(({ claim }) => claim.id)
    let isFollowed = !this.#isOver
    try {
      await this.#commit(ended, isFollowed ? ids : [])
    } catch (error) {
      logFailure('settle_failed', error, { rows: ended.length })
      await this.#writeAlone(ended)
      isFollowed = false
    }
    for (const { claim } of ended) this.#held.delete(claim)
    await enqueue(
      this.#deps,
      ended.flatMap(({ claim: { id }, nextAttemptAt: at }) =>
        at !== null ? [{ id, at }] : isFollowed ? [] : [{ id }],
      ),
    )
    ended.forEach(logAttempt)
  }

  /** Writes each outcome in its own transaction. Failed writes are retried after all others. */
  async #writeAlone(ended: readonly Ended[]): Promise<void> {
    const left = [...ended]
    for (const pause of PAUSES_MS) {
      if (pause > 0) await this.#deps.sleep(pause)
      try {
        for (; left.length > 0; left.shift()) await this.#commit([left[0]!], [])
        return
      } catch (error) {
        logFailure('settle_failed', error, { delivery: left[0]!.claim.deliveryId })
        left.push(left.shift()!)
      }
    }
  }

  /** Writes outcomes and claims rows, in one transaction. */
  async #commit(ended: readonly Ended[], ids: readonly number[]): Promise<void> {
    const { db, now, newToken } = this.#deps
    const at = now()
    const delivered = deliveredStatements(db, ended.flatMap(deliveredOf), at)
    const undelivered = ended.flatMap(({ claim, outcome, nextAttemptAt }) => {
      if (outcome.status === 'delivered') return []
      const failure = { ...outcome, nextAttemptAt }
      return 'code' in failure
        ? failedStatements(db, claim, failure, at)
        : [releasedStatement(db, claim, failure, at)]
    })
    const claimed = ids.length > 0 ? [claimStatement(db, ids, newToken(), at)] : []
    this.#queries += delivered.length + undelivered.length + claimed.length
    const results = await namedBatch(db, { delivered, undelivered, claimed })
    const claims = results.claimed.flatMap(claimsOf)
    for (const claim of claims) this.#held.add(claim)
    this.#waiting.push(...claims)
    if (claims.length > 0) this.#begin()
  }
}

/** Whether a claim got no connection in time. Its run does not claim the row again. */
const gotNoConnection = (outcome: Outcome) =>
  outcome.status === 'released' && outcome.errorType === null

function deliveredOf({ claim, outcome }: Ended): { claim: Claim; code: number }[] {
  return outcome.status === 'delivered' ? [{ claim, code: outcome.code }] : []
}

/** Milliseconds until the delivery may be claimed again. Null if it has ended. */
function delayAfter(
  { waits, random }: Pick<RunDeps, 'waits' | 'random'>,
  { attempts, releases }: Claim,
  outcome: Outcome,
): number | null {
  switch (outcome.status) {
    case 'delivered':
      return null
    case 'failed':
      return retryDelayMs(waits, attempts, random, outcome.retryAfterSeconds)
    case 'released':
      return gotNoConnection(outcome) ? 0 : releaseDelayMs(waits, releases + 1, random)
  }
}

function logAttempt({ claim, outcome, ms, nextAttemptAt }: Ended): void {
  if (gotNoConnection(outcome)) return

  log('attempt', {
    delivery: claim.deliveryId,
    webhook: claim.subscriptionId,
    type: claim.type,
    attempt: claim.attempts,
    outcome: outcome.status,
    code: 'code' in outcome ? outcome.code : null,
    error: 'errorType' in outcome ? outcome.errorType : null,
    nextAt: nextAttemptAt,
    ms,
  })
}
