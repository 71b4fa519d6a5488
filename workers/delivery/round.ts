import type { Instant } from '../../shared/argentine-time.ts'
import type { Claim, Claims } from '../../shared/db/delivery/claim.ts'
import { LEASE_MS } from '../../shared/db/delivery/open.ts'
import { type Settled, takeTurn } from '../../shared/db/delivery/turn.ts'
import { announce, type DeliveryQueue } from './announce.ts'
import { Backlog, type Waiting } from './backlog.ts'
import { limitConnections, MAX_CONNECTIONS } from './connections.ts'
import { DEADLINE_MS } from './deadline.ts'
import type { InFlight } from './in-flight.ts'
import { logAttempt } from './log-attempt.ts'
import { released } from './outcome.ts'
import type { Ended } from './record.ts'
import type { AttemptDeps } from './attempt.ts'
import { settleAndClaim, type SettleDeps } from './settle.ts'
import { work } from './work.ts'

export interface RoundDeps extends AttemptDeps, SettleDeps {
  inFlight: InFlight
  queue: DeliveryQueue
  /** A token that nobody else has. */
  newToken: () => string
}

/**
 * How long after its start a round may begin another attempt. What goes on after a handler has
 * returned has 30 seconds on Cloudflare, and an attempt takes ten.
 */
const GO_ON_MS = 15_000

/** How late after that the answer to a claim may come, for its attempt to end in time. */
const LATE_MS = 4000

/** How long rows wait for a place here while nothing ends, before another invocation gets them. */
const HAND_ON_MS = 250

/** How long ends are gathered while others may follow: they share a round trip. */
const GATHER_MS = 8

/** Most round trips of one invocation: D1 allows it 1,000 queries, and a turn may have 30. */
const MAX_TURNS = 32

/**
 * What one invocation sends: at most five attempts at once. Whenever some have ended, one round
 * trip writes how, and claims what may follow: rows that wait for a place here or at the same host,
 * and the next of the same webhooks. So a backlog drains without a turn of the queue for each row,
 * and the more there is to do, the more of it shares a round trip.
 */
export class Round {
  readonly #deps: RoundDeps
  readonly #startedAt: Instant
  readonly #connections = limitConnections()
  readonly #backlog: Backlog
  /** Attempts whose outcome was written in a turn that could not claim what follows. */
  #unfollowed: Claim[] = []
  #turns = 0
  #running = 0
  #ended: Ended[] = []
  #anEnd = Promise.withResolvers<void>()

  constructor(deps: RoundDeps) {
    this.#deps = deps
    this.#startedAt = deps.now()
    this.#backlog = new Backlog(deps.inFlight)
  }

  /** Claims of these rows what there is room for, and begins; rejects when the database fails. */
  async begin(ids: readonly number[]): Promise<void> {
    const { db, now, inFlight, newToken } = this.#deps
    const first = ids.slice(0, this.#freePlaces())
    const crowded = inFlight.crowded(first.length)
    // Mostly there is room for all of them, here and at their hosts, and nothing is looked at.
    const look = { ids: crowded.length > 0 ? ids : ids.slice(first.length) }
    const wanted = { claim: { ids: first }, crowded, look, token: newToken() }
    this.#take(await takeTurn(db, { wanted }, now()))
  }

  /** Goes on until everything is sent, or it is another invocation's turn. Never rejects. */
  async finish(): Promise<void> {
    while (true) {
      if (this.#ended.length > 0) await this.#gather()
      if (this.#hasTurn()) await this.#turn(this.#ended.splice(0))
      else if (this.#running === 0) break
      else if (this.#backlog.size > 0) await this.#waitOrHandOn()
      else await this.#anEnd.promise
    }
    await this.#handOn()
  }

  /** Waits a moment for the attempts that are under way. */
  async #gather(): Promise<void> {
    const moment = this.#deps.sleep(GATHER_MS).then(() => true)
    while (this.#running > 0) {
      const anEnd = this.#anEnd.promise.then(() => false)
      if (await Promise.race([anEnd, moment])) return
    }
  }

  #hasTurn(): boolean {
    const isFollowed = this.#ended.length + this.#unfollowed.length === 0
    return !isFollowed || this.#backlog.pick(this.#freePlaces()).length > 0
  }

  /**
   * Writes how attempts ended, and hands their places at their hosts to what is claimed in the same
   * round trip, before anyone can slip in between.
   */
  async #turn(ended: readonly Ended[]): Promise<void> {
    const { inFlight } = this.#deps
    this.#turns += 1
    const freed = ended.map(({ claim }) => claim.origin)
    inFlight.end(freed)
    for (const origin of new Set(freed)) this.#backlog.takeOver(origin, MAX_CONNECTIONS)
    const { picked, now, later } = this.#whatFollows(ended)
    const reserved = [...picked.map(([, origin]) => origin), ...now.map(({ origin }) => origin)]

    inFlight.begin(reserved)
    const { settled, claims } = await settleAndClaim(this.#deps, ended, {
      claim: { ids: picked.map(([id]) => id), webhooks: now.map(({ webhookId }) => webhookId) },
      look: { webhooks: later.map(({ webhookId }) => webhookId) },
      token: this.#deps.newToken(),
    })
    inFlight.end(reserved)
    if (claims) {
      this.#backlog.delete(picked)
      this.#take(claims)
    } else {
      await this.#handOn()
      if (ended.length > 0) this.#unfollowed = [...now, ...later]
    }
    // Where somebody still sends, those who wait for the host are theirs; else they are ours.
    for (const origin of new Set([...freed, ...reserved]))
      if (inFlight.countAt(origin) === 0) this.#backlog.takeOver(origin, Infinity)

    for (const one of ended) logAttempt(one, settled.get(one.claim.id))
    await this.#announceRetries([...settled])
  }

  /**
   * Rows that wait come first, then the heads of the webhooks that have their turn again, `now`
   * where there is a place left for them and else `later`.
   */
  #whatFollows(ended: readonly Ended[]): { picked: Waiting[]; now: Claim[]; later: Claim[] } {
    const free = this.#freePlaces()
    const picked = this.#backlog.pick(free)
    const hasPlace = this.#deps.inFlight.places(
      free,
      picked.map(([, origin]) => origin),
    )
    const ordered = ended.map(({ claim }) => claim).filter(({ type }) => type !== 'manual')
    const unfollowed = this.#unfollowed.splice(0)
    const { now = [], later = [] } = Object.groupBy(ordered, ({ origin }) =>
      hasPlace(origin) ? 'now' : 'later',
    )
    return { picked, now, later: [...later, ...unfollowed] }
  }

  #freePlaces(): number {
    const { now, inFlight } = this.#deps
    if (now() - this.#startedAt > GO_ON_MS || this.#turns >= MAX_TURNS) return 0
    return Math.min(MAX_CONNECTIONS - this.#running, inFlight.room)
  }

  #take({ claims, waiting }: Claims): void {
    for (const claim of claims) void this.#send(claim)
    for (const { id, origin } of waiting) this.#backlog.add(id, origin)
  }

  async #send(claim: Claim): Promise<void> {
    this.#running += 1
    this.#deps.inFlight.begin([claim.origin])
    const ended = this.#isTooLate(claim)
      ? { claim, outcome: released('interrupted'), endedAt: this.#deps.now() }
      : await work(this.#deps, claim, this.#connections)
    this.#running -= 1
    this.#ended.push(ended)
    this.#anEnd.resolve()
    this.#anEnd = Promise.withResolvers()
  }

  /**
   * Whether an answer of the database came so late that the lease, or this invocation, could end
   * before the attempt does: the row would be sent again while it is being sent.
   */
  #isTooLate(claim: Claim): boolean {
    const now = this.#deps.now()
    return (
      now - claim.claimedAt > LEASE_MS - DEADLINE_MS || now - this.#startedAt > GO_ON_MS + LATE_MS
    )
  }

  async #announceRetries(settled: readonly [id: number, Settled][]): Promise<void> {
    const { queue, now } = this.#deps
    const rows = settled.flatMap(([id, { nextAttemptAt: at }]) => (at === null ? [] : [{ id, at }]))
    await announce(queue, rows, now())
  }

  /** Waits for an attempt to end, but not for long while rows wait that others could send. */
  async #waitOrHandOn(): Promise<void> {
    this.#backlog.giveUpCrowded()
    const ended = this.#anEnd.promise.then(() => true)
    const isSlow = !(await Promise.race([ended, this.#deps.sleep(HAND_ON_MS)]))
    if (isSlow) await this.#handOn()
  }

  async #handOn(): Promise<void> {
    const { queue, now } = this.#deps
    const at = now()
    await announce(
      queue,
      this.#backlog.drain().map((id) => ({ id, at })),
      at,
    )
  }
}
