import type { Instant } from '../../../shared/argentine-time.ts'
import {
  type Claim,
  claimsOf,
  claimStatement,
  findNext,
  orderOf,
} from '../../../shared/db/deliveries/claim.ts'
import { LEASE_MS } from '../../../shared/db/deliveries/open.ts'
import { log } from '../../../shared/log.ts'
import { type DueRow, enqueue, type EnqueueDeps } from '../../../shared/webhooks/enqueue.ts'
import {
  type AttemptDeps,
  type CompletedAttempt,
  DEADLINE_MS,
  runAttempt,
} from '../attempt/attempt.ts'
import { type Settled, settle, type SettleDeps } from './settle.ts'

export interface RunDeps extends AttemptDeps, SettleDeps, EnqueueDeps {
  now: () => Instant
  sleep: (ms: number) => Promise<void>
  /** A token that nobody else has. */
  newToken: () => string
}

/**
 * Attempts that one invocation makes at once. A Worker invocation has six connections that wait for
 * a response head. A seventh would queue, and its wait would use up a receiver's ten seconds. An
 * attempt has one at a time, and one of the six is left for the database and the queue.
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
  #ended: CompletedAttempt[] = []
  /** Written claims of orders whose next row no round trip has claimed. */
  #unfollowed: Claim[] = []
  /** When an attempt last began or ended. */
  #movedAt: Instant
  #isTimed = false
  #queries = 0
  #event = Promise.withResolvers<void>()

  constructor(deps: RunDeps) {
    this.#deps = deps
    this.startedAt = this.#movedAt = deps.now()
  }

  /** Claims without a place. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Claims that are not written yet. */
  get held(): number {
    return this.#held.size
  }

  /** Claims those of these rows that may be sent, and begins. Rejects when the database fails. */
  async claim(ids: readonly number[]): Promise<void> {
    const { db, now, newToken } = this.#deps
    const wanted = { ids, token: newToken() }
    const at = now()
    const [claimed] = await db.batch([claimStatement(db, wanted, at)])
    this.#hold(claimsOf(claimed!, wanted, at))
  }

  /** Goes on until everything is written. Never rejects. */
  async finish(): Promise<void> {
    while (this.#held.size + this.#unfollowed.length > 0) {
      this.#giveBackLate()
      if (this.#isTimeToWrite) await this.#write()
      else await this.#nextEvent()
    }
  }

  #hold(claims: readonly Claim[]): void {
    for (const claim of claims) this.#held.add(claim)
    this.#waiting.push(...claims)
    this.#begin()
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
    this.#hosts.push(claim.host)
    this.#movedAt = this.#deps.now()
    const completed = await runAttempt(this.#deps, claim)
    this.#hosts.splice(this.#hosts.indexOf(claim.host), 1)
    this.#movedAt = this.#deps.now()
    this.#ended.push(completed)
    this.#begin()
    this.#wake()
  }

  /** Outcomes gather while claims wait and no place is idle: then nothing waits for what follows. */
  get #isTimeToWrite(): boolean {
    const gathered = this.#ended.length
    const isBusy = this.#waiting.length > 0 && this.#hosts.length === MAX_CONNECTIONS
    return isBusy ? gathered >= GATHERED : gathered + this.#unfollowed.length > 0
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
    const at = this.#deps.now()
    const areAll = this.#isOver || at - this.#movedAt >= STALL_MS
    const late = this.#waiting.filter((claim) => areAll || this.#isTooLateFor(claim))
    if (late.length === 0) return
    this.#waiting = this.#waiting.filter((claim) => !late.includes(claim))
    const outcome = { status: 'returned' } as const
    this.#ended.push(...late.map((claim) => ({ claim, outcome, startedAt: at, endedAt: at })))
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

  /** One round trip: writes what has ended, and claims what follows it. */
  async #write(): Promise<void> {
    const { db, now, newToken } = this.#deps
    const completed = this.#ended.splice(0)
    const orders = this.#ordersAfter(completed)
    const at = now()
    const wanted = this.#isOver ? null : { orders, token: newToken() }
    const next = wanted ? claimStatement(db, wanted, at) : findNext(db, orders, at)
    const followed = orders.length > 0 ? [next] : []

    const { settled, results, queries } = await settle(this.#deps, completed, followed, at)
    this.#queries += queries
    for (const { claim } of completed) this.#held.delete(claim)
    for (const found of results ?? [])
      if (wanted) this.#hold(claimsOf(found, wanted, at))
      else await enqueue(this.#deps, found.results as { id: number }[])
    // The database failed, and the outcomes are written one by one: it is asked once more.
    if (!results && completed.length > 0) this.#unfollowed = orders
    // A claim that was given back, and cancelled, makes way for the next of its order.
    for (const { claim, outcome } of completed)
      if (outcome.status === 'returned' && orderOf(claim) && isOver(settled.get(claim.id)))
        this.#unfollowed.push(claim)

    await enqueue(this.#deps, [...settled].flatMap(dueAgain))
    for (const one of completed) logAttempt(one, settled.get(one.claim.id))
  }

  /** A claim of each order in which something ended. */
  #ordersAfter(completed: readonly CompletedAttempt[]): Claim[] {
    const ended = completed.flatMap(({ claim, outcome }) =>
      outcome.status === 'returned' ? [] : [claim],
    )
    const claims = [...this.#unfollowed, ...ended].map((claim) => [orderOf(claim), claim] as const)
    this.#unfollowed = []
    const byOrder = new Map(claims)
    byOrder.delete(null)
    return [...byOrder.values()]
  }
}

const isOver = (settled: Settled | undefined) => settled?.nextAttemptAt === null

/** Rows that were settled and are due again. */
function dueAgain([id, { nextAttemptAt: at }]: [number, Settled]): DueRow[] {
  return at === null ? [] : [{ id, at }]
}

/** Logs an attempt. `status` is what became of a row that was not delivered. */
function logAttempt(
  { claim, outcome, startedAt, endedAt }: CompletedAttempt,
  settled: Settled | undefined,
): void {
  if (outcome.status === 'returned') return

  log('attempt', {
    delivery: claim.deliveryId,
    webhook: claim.subscriptionId,
    type: claim.type,
    attempt: claim.attempts,
    outcome: outcome.status,
    code: 'code' in outcome ? outcome.code : null,
    error: 'errorType' in outcome ? outcome.errorType : null,
    status: settled?.status ?? null,
    ms: endedAt - startedAt,
  })
}
