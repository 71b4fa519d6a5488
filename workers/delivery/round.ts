import type { Instant } from '../../shared/argentine-time.ts'
import type { Claim, Claims, Wanted } from '../../shared/db/delivery/claim.ts'
import { type Settled, takeTurn } from '../../shared/db/delivery/turn.ts'
import { announce, type DeliveryQueue } from './announce.ts'
import { limitConnections, MAX_CONNECTIONS } from './connections.ts'
import { MAX_PER_HOST } from './in-flight.ts'
import { log } from './log.ts'
import type { Ended } from './record.ts'
import { settleAndClaim, type SettleDeps } from './settle.ts'
import { work, type WorkDeps } from './work.ts'

export interface RoundDeps extends WorkDeps, SettleDeps {
  queue: DeliveryQueue
  /** A token that nobody else has. */
  newToken: () => string
}

/**
 * How long after its start a round may begin another attempt. What goes on after a handler has
 * returned has 30 seconds on Cloudflare, and an attempt takes ten.
 */
const GO_ON_MS = 15_000

/** How long rows wait for a place here while nothing ends, before another invocation gets them. */
const HAND_ON_MS = 250

/** How many ends are worth a round trip at once, and how long they are waited for. */
const GATHER = 3
const GATHER_MS = 20

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
  /** Rows that may be sent and wait for a place: id → origin. */
  readonly #backlog = new Map<number, string>()
  #running = 0
  #ended: Ended[] = []
  #anEnd = Promise.withResolvers<void>()

  constructor(deps: RoundDeps) {
    this.#deps = deps
    this.#startedAt = deps.now()
  }

  /** Claims of these rows what there is room for, and begins; rejects when the database fails. */
  async begin(ids: readonly number[]): Promise<void> {
    const { db, now, inFlight, newToken } = this.#deps
    const first = ids.slice(0, this.#freePlaces())
    const crowded = inFlight.crowded(first.length)
    // Mostly there is room for all of them, here and at their hosts.
    const isTight = first.length < ids.length || crowded.length > 0
    const look = { ids: isTight ? ids : [] }
    const wanted = { claim: { ids: first }, crowded, look, token: newToken() }
    this.#take(await takeTurn(db, { wanted }, now()))
  }

  /** Goes on until everything is sent, or it is another invocation's turn. Never rejects. */
  async finish(): Promise<void> {
    while (true) {
      if (this.#ended.length > 0) await this.#gather()
      if (this.#ended.length > 0 || this.#mayPick()) await this.#turn(this.#ended.splice(0))
      else if (this.#running === 0) break
      else if (this.#backlog.size > 0) await this.#waitOrHandOn()
      else await this.#anEnd.promise
    }
    await this.#handOn()
  }

  /** While few have ended, others may soon: then they share the round trip. */
  async #gather(): Promise<void> {
    if (this.#running > 0 && this.#ended.length < GATHER) await this.#deps.sleep(GATHER_MS)
  }

  async #turn(ended: readonly Ended[]): Promise<void> {
    const origins = Map.groupBy(ended, ({ claim }) => claim.origin)
    for (const [origin, { length }] of origins) this.#takeOver(origin, length)
    const wanted = this.#wantNext(ended)

    const { settled, claims } = await settleAndClaim(this.#deps, ended, wanted)
    if (claims) {
      for (const id of wanted.claim.ids ?? []) this.#backlog.delete(id)
      this.#take(claims)
    } else await this.#handOn()
    // Where somebody still sends, those who wait for the host are theirs; else they are ours.
    for (const origin of origins.keys())
      if (this.#deps.inFlight.countAt(origin) === 0) this.#takeOver(origin, Infinity)

    for (const one of ended) logAttempt(one, settled.get(one.claim.id))
    await this.#announceRetries([...settled])
  }

  /**
   * Rows that wait come first, then the heads of the webhooks that have their turn again; those for
   * which there is no place left are looked at, to wait in their turn.
   */
  #wantNext(ended: readonly Ended[]): Wanted {
    const hasPlace = this.#deps.inFlight.places(this.#freePlaces())
    const picked = [...this.#backlog].filter(([, origin]) => hasPlace(origin))
    const ordered = ended.map(({ claim }) => claim).filter(({ type }) => type !== 'manual')
    const heads = Map.groupBy(ordered, ({ origin }) => hasPlace(origin))
    const webhooks = (isNow: boolean) => heads.get(isNow)?.map(({ webhookId }) => webhookId) ?? []

    return {
      claim: { ids: picked.map(([id]) => id), webhooks: webhooks(true) },
      look: { webhooks: webhooks(false) },
      token: this.#deps.newToken(),
    }
  }

  /** Whether a row of the backlog has a place, here and at its host. */
  #mayPick(): boolean {
    const hasPlace = this.#deps.inFlight.places(this.#freePlaces())
    return [...this.#backlog.values()].some(hasPlace)
  }

  #freePlaces(): number {
    const { now, inFlight } = this.#deps
    if (now() - this.#startedAt > GO_ON_MS) return 0
    return Math.min(MAX_CONNECTIONS - this.#running, inFlight.room)
  }

  #take({ claims, waiting }: Claims): void {
    for (const claim of claims) void this.#send(claim)
    for (const { id, origin } of waiting) this.#hold(id, origin)
  }

  async #send(claim: Claim): Promise<void> {
    this.#running += 1
    const ended = await work(this.#deps, claim, this.#connections)
    this.#running -= 1
    this.#ended.push(ended)
    this.#anEnd.resolve()
    this.#anEnd = Promise.withResolvers()
  }

  /** A host with enough attempts keeps a row until one of them ends; other rows wait here. */
  #hold(id: number, origin: string): void {
    const { inFlight } = this.#deps
    if (inFlight.countAt(origin) >= MAX_PER_HOST) inFlight.hold(origin, id)
    else this.#backlog.set(id, origin)
  }

  #takeOver(origin: string, count: number): void {
    for (const id of this.#deps.inFlight.take(origin, count)) this.#backlog.set(id, origin)
  }

  async #announceRetries(settled: readonly [id: number, Settled][]): Promise<void> {
    const { queue, now } = this.#deps
    const rows = settled.flatMap(([id, { nextAttemptAt: at }]) => (at === null ? [] : [{ id, at }]))
    await announce(queue, rows, now())
  }

  /** Waits for an attempt to end, but not for long while rows wait that others could send. */
  async #waitOrHandOn(): Promise<void> {
    const rows = [...this.#backlog]
    this.#backlog.clear()
    for (const [id, origin] of rows) this.#hold(id, origin)
    const ended = this.#anEnd.promise.then(() => true)
    const isSlow = !(await Promise.race([ended, this.#deps.sleep(HAND_ON_MS)]))
    if (isSlow) await this.#handOn()
  }

  async #handOn(): Promise<void> {
    const { queue, now } = this.#deps
    const at = now()
    const rows = [...this.#backlog.keys()].map((id) => ({ id, at }))
    this.#backlog.clear()
    await announce(queue, rows, at)
  }
}

function logAttempt({ claim, outcome, endedAt }: Ended, settled: Settled | undefined): void {
  log('attempt', {
    delivery: claim.deliveryId,
    webhook: claim.webhookId,
    type: claim.type,
    attempt: claim.attempts,
    outcome: outcome.status,
    code: 'code' in outcome ? outcome.code : null,
    error: 'errorType' in outcome ? outcome.errorType : null,
    status: settled?.status ?? null,
    ms: endedAt - claim.claimedAt,
  })
}
