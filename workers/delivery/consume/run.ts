import type { Instant } from '../../../shared/argentine-time.ts'
import {
  type Claim,
  claimsOf,
  claimStatement,
  LEASE_MS,
} from '../../../shared/db/deliveries/claim.ts'
import {
  deliveredStatements,
  type Undelivered,
  undeliveredStatements,
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
  /** A token that nobody else has. */
  newToken: () => string
  waits: Waits
  random: () => number
}

/**
 * Attempts that one invocation makes at once. It has six connections that wait for a response head; a
 * seventh would queue, and use up a receiver's ten seconds. One is left for the database and the queue.
 */
export const MAX_CONNECTIONS = 6 - 1

/** Most attempts of a run at once to one host, while it has claims for another. */
const PLACES_OF_HOST = 2

/**
 * How long after its start a run claims. Cloudflare gives 30 seconds to what goes on after a handler
 * has returned: these twelve, `LATE_MS`, an attempt of ten, and six to write the outcome. A slow
 * database may need two of the six for the round trip before.
 */
const CLAIM_MS = 12_000

/** How late after that an attempt may begin. */
const LATE_MS = 2000

/** How long before the end of its lease an attempt must end, to be written before the sweep. */
const WRITE_MS = 5000

/** Outcomes that a round trip has while claims wait and no place is idle. */
const GATHERED = 20

/** When no attempt has begun or ended for so long, the claims without a place go to other runs. */
const STALL_MS = 2000

/** After how many queries a run claims no more. D1 allows 1,000; the rest is for outcomes. */
const MAX_QUERIES = 300

/** Pauses before tries to write outcomes one by one. After the last one the sweep counts the attempt. */
const PAUSES_MS = [0, 200, 1000, 3000]

/** A claim that is over, and not yet written. */
interface Ended {
  claim: Claim
  outcome: Outcome
  ms: number
  /** What is written; null when it was delivered. */
  undelivered: Undelivered | null
}

/**
 * What one batch of hints brings about. Claims wait for one of five places and are sent. Outcomes
 * gather while a round trip is under way; the next one writes them all, and claims the next row of each
 * order that ended. What finds no place in time is given back, and a hint brings it again.
 */
export class Run {
  readonly #deps: RunDeps
  readonly startedAt: Instant
  /** Claims that are not written yet: those that wait, are being sent, or have ended. */
  readonly #held = new Set<Claim>()
  #waiting: Claim[] = []
  /** The hosts of the attempts that are being made. */
  readonly #hosts: string[] = []
  #ended: Ended[] = []
  /** When an attempt last began or ended. */
  #movedAt: Instant
  #isTimed = false
  #queries = 0
  #event = Promise.withResolvers<void>()

  constructor(deps: RunDeps) {
    this.#deps = deps
    this.startedAt = this.#movedAt = deps.now()
  }

  /** Claims that are not written yet. */
  get held(): number {
    return this.#held.size
  }

  /** Claims what these rows bring that may be sent, and begins. Rejects when the database fails. */
  claim(ids: readonly number[]): Promise<void> {
    return this.#commit([], ids)
  }

  /** Goes on until everything is written. Never rejects. */
  async finish(): Promise<void> {
    while (this.#held.size > 0) {
      this.#giveBackLate()
      if (this.#isTimeToWrite) await this.#write()
      else await this.#nextEvent()
    }
  }

  /** Gives free places to the claims that have waited longest, of any host that has room. */
  #begin(): void {
    const isMixed = new Set([...this.#held].map(({ host }) => host)).size > 1
    const room = isMixed ? PLACES_OF_HOST : MAX_CONNECTIONS
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
    const undelivered = undeliveredOf(this.#deps, claim, outcome)
    this.#ended.push({ claim, outcome, ms, undelivered })
  }

  /** Outcomes gather while claims wait and no place is idle: then nothing waits for what follows. */
  get #isTimeToWrite(): boolean {
    const isBusy = this.#waiting.length > 0 && this.#hosts.length === MAX_CONNECTIONS
    return this.#ended.length >= (isBusy ? GATHERED : 1)
  }

  /** Whether nothing more may be claimed. */
  get #isOver(): boolean {
    return this.#deps.now() - this.startedAt > CLAIM_MS || this.#queries > MAX_QUERIES
  }

  /**
   * Whether the lease, or this invocation, could end before an attempt that begins now does. The row
   * would be sent again while it is being sent.
   */
  #isTooLateFor({ claimedAt }: Claim): boolean {
    const now = this.#deps.now()
    return (
      now - claimedAt > LEASE_MS - DEADLINE_MS - WRITE_MS ||
      now - this.startedAt > CLAIM_MS + LATE_MS
    )
  }

  #giveBackLate(): void {
    const areAll = this.#isOver || this.#deps.now() - this.#movedAt >= STALL_MS
    const late = this.#waiting.filter((claim) => areAll || this.#isTooLateFor(claim))
    this.#waiting = this.#waiting.filter((claim) => !late.includes(claim))
    for (const claim of late) this.#end(claim, { status: 'released', errorType: null }, 0)
  }

  /** Waits for the end of an attempt, and while claims wait at most for `STALL_MS`. */
  async #nextEvent(): Promise<void> {
    if (this.#waiting.length > 0 && !this.#isTimed) {
      this.#isTimed = true
      void this.#deps.sleep(STALL_MS).then(() => {
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

  /** Writes what has ended, and has what follows it claimed: by itself, or where it may not by others. */
  async #write(): Promise<void> {
    const ended = this.#ended.splice(0)
    const ids = ended.filter(({ outcome }) => !isReturned(outcome)).map(({ claim }) => claim.id)
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
      ended.flatMap(({ claim: { id }, undelivered }) => {
        const at = undelivered?.nextAttemptAt
        return at ? [{ id, at }] : isFollowed ? [] : [{ id }]
      }),
    )
    ended.forEach(logAttempt)
  }

  /** Writes each outcome in its own transaction. An outcome that fails is tried again after the others. */
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

  /** One transaction: outcomes are written, and what rows bring is claimed. */
  async #commit(ended: readonly Ended[], ids: readonly number[]): Promise<void> {
    const { db, now, newToken } = this.#deps
    const at = now()
    const delivered = deliveredStatements(db, ended.flatMap(deliveredOf), at)
    const undelivered = ended.flatMap(({ claim, undelivered }) =>
      undelivered ? undeliveredStatements(db, claim, undelivered, at) : [],
    )
    const claimed = ids.length > 0 ? [claimStatement(db, ids, newToken(), at)] : []
    this.#queries += delivered.length + undelivered.length + claimed.length
    const results = await namedBatch(db, { delivered, undelivered, claimed })
    const claims = results.claimed.flatMap(claimsOf)
    for (const claim of claims) this.#held.add(claim)
    this.#waiting.push(...claims)
    if (claims.length > 0) this.#begin()
  }
}

/** A claim that found no place in time. It is not claimed again by the same run. */
const isReturned = (outcome: Outcome) => outcome.status === 'released' && outcome.errorType === null

function deliveredOf({ claim, outcome }: Ended): { claim: Claim; code: number }[] {
  return outcome.status === 'delivered' ? [{ claim, code: outcome.code }] : []
}

function undeliveredOf(
  { waits, random, now }: Pick<RunDeps, 'waits' | 'random' | 'now'>,
  { attempts, releases }: Claim,
  outcome: Outcome,
): Undelivered | null {
  if (outcome.status === 'delivered') return null

  const { errorType } = outcome
  const isSent = outcome.status === 'failed'
  const delay = isSent
    ? retryDelayMs(waits, attempts, random, outcome.retryAfterSeconds)
    : errorType === null
      ? 0
      : releaseDelayMs(waits, releases + 1, random)
  const nextAttemptAt = delay === null ? null : now() + delay
  return { isSent, code: isSent ? outcome.code : null, errorType, nextAttemptAt }
}

function logAttempt({ claim, outcome, ms, undelivered }: Ended): void {
  if (isReturned(outcome)) return

  log('attempt', {
    delivery: claim.deliveryId,
    webhook: claim.subscriptionId,
    type: claim.type,
    attempt: claim.attempts,
    outcome: outcome.status,
    code: 'code' in outcome ? outcome.code : null,
    error: 'errorType' in outcome ? outcome.errorType : null,
    nextAt: undelivered?.nextAttemptAt ?? null,
    ms,
  })
}
