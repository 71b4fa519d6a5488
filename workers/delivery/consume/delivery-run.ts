import type { Instant } from '../../../shared/argentine-time.ts'
import type { Claim, Claims } from '../../../shared/db/deliveries/claim.ts'
import { LEASE_MS } from '../../../shared/db/deliveries/open.ts'
import { SLOTS } from '../../../shared/db/deliveries/slots.ts'
import { type Settled, takeTurn } from '../../../shared/db/deliveries/turn.ts'
import { announce, type AnnounceDeps } from '../../../shared/webhooks/enqueue.ts'
import { Ahead, HOLD_MS, takeFrom } from './prefetch.ts'
import { Backlog } from './backlog.ts'
import { limitConnections, MAX_CONNECTIONS } from '../attempt/connections.ts'
import { DEADLINE_MS } from '../attempt/deadline.ts'
import type { InFlight } from './host-slots.ts'
import { logAttempt } from './log-attempt.ts'
import { released } from '../attempt/outcome.ts'
import type { Ended } from './outcome-statements.ts'
import type { AttemptDeps } from '../attempt/attempt.ts'
import { MAX_TRIES, settleAndClaim, type SettleDeps } from './settle.ts'
import { work } from '../attempt/work.ts'

export interface RoundDeps extends AttemptDeps, SettleDeps, AnnounceDeps {
  inFlight: InFlight
  /** A token that nobody else has. */
  newToken: () => string
}

/**
 * How long after its start a round claims what it will send. What goes on after a handler has
 * returned has 30 seconds on Cloudflare: twelve, two, an attempt of ten, and six to write how it
 * ended, for a database that takes two seconds may have begun on another turn.
 */
const GO_ON_MS = 12_000

/** How late after that the answer to a claim may come, for its attempt to end in time. */
const LATE_MS = 2000

/** How long before the end of its lease an attempt must end, to be written before it is swept. */
const WRITE_MS = 5000

/**
 * How long ends are gathered to share a round trip, in milliseconds: while every place is in use,
 * for nothing waits for them but what comes next of their webhooks, and when one is not.
 */
const GATHER_BUSY_MS = 100
const GATHER_IDLE_MS = 8

/**
 * After how many queries a round begins no more: D1 allows 1,000, and what is under way has some,
 * the more when the database fails.
 */
const MAX_QUERIES = 500

/**
 * What a turn asks at the most besides the writing of attempts that failed, what one such asks, and
 * what the writing of one outcome on its own may.
 */
const QUERIES_OF_TURN = 7
const QUERIES_OF_FAILED = 7
const QUERIES_ALONE = MAX_TRIES * (QUERIES_OF_FAILED + 1)

/**
 * What one invocation sends: at most five attempts at once. Whenever some have ended, one round
 * trip writes how, and claims what may follow: rows that wait for a place here or at the same host,
 * the next of the same webhooks, and as many again where the hosts are quick. So a backlog drains
 * without a turn of the queue for each row, and the more there is to do, the more of it shares a
 * round trip.
 */
export class Round {
  readonly #deps: RoundDeps
  readonly #startedAt: Instant
  readonly #connections = limitConnections()
  readonly #backlog: Backlog
  /** Attempts whose outcome was written in a turn that could not claim what follows. */
  #unfollowed: Claim[] = []
  #queries = 0
  readonly #ahead = new Ahead()
  /** The hosts of the attempts under way. */
  readonly #sending: string[] = []
  /** Those of attempts that have ended, and whose places nothing has taken yet. */
  readonly #freed: string[] = []
  readonly #ended: Ended[] = []
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
    const { claims, waiting } = await takeTurn(db, { wanted }, now())
    for (const claim of claims) this.#begin(claim)
    this.#wait(waiting)
  }

  /** Goes on until everything is sent, or it is another invocation's turn. Never rejects. */
  async finish(): Promise<void> {
    while (true) {
      if (this.#ended.length > 0) await this.#gather()
      if (this.#hasTurn()) await this.#turn()
      else if (this.#sending.length + this.#ahead.size === 0) break
      else if (this.#backlog.size + this.#ahead.size > 0) await this.#waitOrHandOn()
      else await this.#anEnd.promise
    }
    await this.#handOn()
  }

  /** Waits a moment for the attempts that are under way, and those that follow them. */
  async #gather(): Promise<void> {
    await this.#until(() => this.#freed.length > 0 || this.#sending.length === 0, GATHER_BUSY_MS)
    await this.#until(() => this.#sending.length === 0, GATHER_IDLE_MS)
  }

  async #until(isSo: () => boolean, atMostMs: number): Promise<void> {
    if (isSo()) return
    const moment = this.#deps.sleep(atMostMs).then(() => true)
    while (!isSo()) {
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
  async #turn(): Promise<void> {
    const { inFlight, now: clock } = this.#deps
    this.#giveBack(clock() - HOLD_MS)
    const ended = this.#ended.splice(0)
    const freed = this.#freed.splice(0)
    inFlight.end(freed)
    const hosts = new Set(ended.filter(wasBegun).map(({ claim }) => claim.origin))
    for (const origin of hosts) this.#backlog.takeOver(origin, SLOTS)
    const { picked, ahead, now, later } = this.#whatFollows(ended)
    const reserved = [...picked.map(([, origin]) => origin), ...now.map(({ origin }) => origin)]
    this.#queries += QUERIES_OF_TURN + QUERIES_OF_FAILED * ended.filter(isNotDelivered).length

    inFlight.begin(reserved)
    const { settled, claims } = await settleAndClaim(this.#deps, ended, {
      claim: {
        ids: [...picked, ...ahead].map(([id]) => id),
        webhooks: now.map(({ webhookId }) => webhookId),
      },
      look: { webhooks: later.map(({ webhookId }) => webhookId) },
      token: this.#deps.newToken(),
    })
    inFlight.end(reserved)
    if (claims) {
      this.#backlog.delete([...picked, ...ahead])
      this.#take(claims.claims, [...reserved])
      this.#wait(claims.waiting)
    } else {
      this.#queries += QUERIES_ALONE * ended.length
      await this.#handOn()
      if (ended.length > 0) this.#unfollowed = [...now, ...later]
    }
    // What was cancelled unsent leaves its place in the order to the next of its webhook.
    this.#unfollowed.push(
      ...ended
        .filter((one) => !wasBegun(one) && settled.get(one.claim.id)?.nextAttemptAt === null)
        .map(({ claim }) => claim),
    )
    // Where somebody still sends, those who wait for the host are theirs; else they are ours.
    for (const origin of new Set([...hosts, ...reserved]))
      if (inFlight.countAt(origin) === 0) this.#backlog.takeOver(origin, Infinity)

    for (const one of ended) logAttempt(one, settled.get(one.claim.id))
    await this.#announceRetries([...settled])
  }

  /**
   * Rows that wait come first, then the heads of the webhooks that have their turn again, `now`
   * where there is a place left for them and else `later`; `ahead` are the rows that will follow.
   */
  #whatFollows(ended: readonly Ended[]) {
    const { inFlight } = this.#deps
    const free = this.#freePlaces()
    const picked = this.#backlog.pick(free)
    const origins = picked.map(([, origin]) => origin)
    const hasPlace = inFlight.places(free, origins)
    const ordered = ended
      .filter(wasBegun)
      .map(({ claim }) => claim)
      .filter(({ type }) => type !== 'manual')
    const unfollowed = this.#unfollowed.splice(0)
    const { now = [], later = [] } = Object.groupBy(ordered, ({ origin }) =>
      hasPlace(origin) ? 'now' : 'later',
    )
    const underWay = [...this.#sending, ...origins, ...now.map(({ origin }) => origin)]
    const ahead = this.#isOver()
      ? []
      : this.#backlog.pickOthers(
          picked,
          this.#ahead.places(underWay, (origin) => inFlight.hasPlace(origin)),
        )
    return { picked, ahead, now, later: [...later, ...unfollowed] }
  }

  /** Whether it is another invocation's turn to begin attempts. */
  #isOver(): boolean {
    return this.#deps.now() - this.#startedAt > GO_ON_MS || this.#queries >= MAX_QUERIES
  }

  #freePlaces(): number {
    if (this.#isOver()) return 0
    return Math.min(MAX_CONNECTIONS - this.#sending.length, this.#deps.inFlight.room)
  }

  /**
   * Begins those that have one of these places, and others where attempts have ended meanwhile or
   * what had the place was not claimed: it was another's already, or its webhook has moved.
   */
  #take(claims: readonly Claim[], places: string[]): void {
    for (const claim of claims)
      if (takeFrom(places, claim.origin)) this.#begin(claim)
      else this.#ahead.add(claim, this.#deps.now())
    for (const origin of this.#freed.splice(0)) this.#follow(origin)
    for (const _ of places) {
      const next = this.#ahead.next((its) => this.#deps.inFlight.hasPlace(its))
      if (next) this.#begin(next)
    }
  }

  #wait(rows: Claims['waiting']): void {
    for (const { id, origin } of rows) this.#backlog.add(id, origin)
  }

  #begin(claim: Claim): void {
    this.#deps.inFlight.begin([claim.origin])
    void this.#send(claim)
  }

  /** Sends a claim that has a place. */
  async #send(claim: Claim): Promise<void> {
    const { now } = this.#deps
    this.#sending.push(claim.origin)
    const ended = this.#isTooLate(claim)
      ? { claim, outcome: released('interrupted'), startedAt: now(), endedAt: now() }
      : await work(this.#deps, claim, this.#connections)
    takeFrom(this.#sending, claim.origin)
    this.#ended.push(ended)
    this.#ahead.note(ended)
    this.#follow(claim.origin)
    this.#anEnd.resolve()
    this.#anEnd = Promise.withResolvers()
  }

  /** Begins what was claimed to follow an attempt to this host, or else any that has a place. */
  #follow(origin: string): void {
    const { inFlight } = this.#deps
    const next =
      this.#ahead.next((its) => its === origin) ?? this.#ahead.next((its) => inFlight.hasPlace(its))
    if (!next) return void this.#freed.push(origin)
    inFlight.end([origin])
    this.#begin(next)
  }

  /**
   * Whether an answer of the database came so late that the lease, or this invocation, could end
   * before the attempt does: the row would be sent again while it is being sent.
   */
  #isTooLate(claim: Claim): boolean {
    const now = this.#deps.now()
    return (
      now - claim.claimedAt > LEASE_MS - DEADLINE_MS - WRITE_MS ||
      now - this.#startedAt > GO_ON_MS + LATE_MS
    )
  }

  async #announceRetries(settled: readonly [id: number, Settled][]): Promise<void> {
    const rows = settled.flatMap(([id, { nextAttemptAt: at }]) => (at === null ? [] : [{ id, at }]))
    await announce(this.#deps, rows)
  }

  /** Waits for an attempt to end, but not for long while rows wait that others could send. */
  async #waitOrHandOn(): Promise<void> {
    this.#backlog.giveUpCrowded()
    const ended = this.#anEnd.promise.then(() => true)
    const isSlow = !(await Promise.race([ended, this.#deps.sleep(HOLD_MS)]))
    if (!isSlow) return

    this.#giveBack(Infinity)
    await this.#handOn()
  }

  /** Ends, unsent, the claims ahead that have waited since before an instant: others send them. */
  #giveBack(before: Instant): void {
    const at = this.#deps.now()
    for (const claim of this.#ahead.takeBefore(before))
      this.#ended.push({ claim, outcome: { status: 'unsent' }, startedAt: at, endedAt: at })
  }

  async #handOn(): Promise<void> {
    const at = this.#deps.now()
    await announce(
      this.#deps,
      this.#backlog.drain().map((id) => ({ id, at })),
    )
  }
}

function isNotDelivered({ outcome }: Ended): boolean {
  return outcome.status !== 'delivered'
}

function wasBegun({ outcome }: Ended): boolean {
  return outcome.status !== 'unsent'
}
