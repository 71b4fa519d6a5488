import type { Instant } from '../../../shared/argentine-time.ts'
import { MAX_CONNECTIONS } from '../../../shared/db/deliveries/batch.ts'
import type { Claim, Place } from '../../../shared/db/deliveries/claim.ts'
import { settleAndClaim } from '../db/settle-and-claim.ts'
import type { WaitingRow } from '../../../shared/db/deliveries/waiting.ts'
import { enqueue, type EnqueueDeps } from '../../../shared/webhooks/enqueue.ts'
import { type AttemptDeps, type CompletedAttempt, runAttempt } from '../attempt/attempt.ts'
import { limitConnections } from '../attempt/connections.ts'
import { released } from '../attempt/outcome.ts'
import type { HostSlots } from './host-slots.ts'
import { logAttempt } from './log-attempt.ts'
import { planNext, type RunState, type SettleStep, type Step, type Wait } from './plan-next.ts'
import { Prefetch } from './prefetch.ts'
import { RunBudget } from './run-budget.ts'
import { type SettleDeps, type SettledRows, settleWithRetries } from './settle.ts'

export interface RunDeps extends AttemptDeps, SettleDeps, EnqueueDeps {
  now: () => Instant
  sleep: (ms: number) => Promise<void>
  slots: HostSlots
  /** A token that nobody else has. */
  newToken: () => string
}

/**
 * What one invocation sends, at most five attempts at once. `planNext` decides each step and the loop
 * in `drain` takes it. The loop sleeps until an attempt, a round trip or a wait ends.
 */
export class DeliveryRun {
  readonly #deps: RunDeps
  readonly #id = Symbol('delivery run')
  readonly #budget: RunBudget
  readonly #connections = limitConnections()
  readonly #prefetch = new Prefetch()
  #completed: CompletedAttempt[] = []
  #rows: WaitingRow[] = []
  /** Rows whose attempt is written, and after which the next of their order was not claimed. */
  #unfollowed: Place[] = []
  #hasRoundTrip = false
  #wait: { reason: Wait['reason']; isOver: boolean } | null = null
  #event = Promise.withResolvers<void>()

  constructor(deps: RunDeps) {
    this.#deps = deps
    this.#budget = new RunBudget(deps.now)
  }

  /** Claims as many of these rows as there are slots for. Rejects when the database fails. */
  async claim(ids: readonly number[]): Promise<void> {
    const { db, now, slots, newToken } = this.#deps
    const first = ids.slice(0, Math.min(MAX_CONNECTIONS, slots.free))
    const saturated = slots.saturated(first.length)
    // Mostly no host is saturated, and the first rows are not read twice.
    const peek = { ids: saturated.length > 0 ? ids : ids.slice(first.length) }
    const wanted = { claim: { ids: first }, saturated, peek, token: newToken() }
    const { claims, waiting } = await settleAndClaim(db, { wanted }, now())
    this.#rows.push(...waiting)
    for (const claim of claims) void this.#send(claim)
  }

  /** Goes on until everything is sent or handed on. Never rejects. */
  async drain(): Promise<void> {
    while (true) {
      this.#rows.push(...this.#deps.slots.takeOrphans())
      const step = planNext(this.#state())
      if (step.do === 'stop') return
      if (step.do === 'wait') await this.#waitFor(step)
      else this.#take(step)
    }
  }

  #state(): RunState {
    const { now, slots } = this.#deps
    return {
      now: now(),
      isOver: this.#budget.isSpent,
      hasRoundTrip: this.#hasRoundTrip,
      elapsed: this.#wait?.isOver ? this.#wait.reason : null,
      slots: slots.of(this.#id),
      free: slots.free,
      countAt: (host) => slots.countAt(host),
      completed: this.#completed,
      prefetched: this.#prefetch.held,
      quickHosts: this.#prefetch.hosts,
      rows: this.#rows,
      heldFor: (host) => slots.heldFor(host),
      unfollowed: this.#unfollowed,
    }
  }

  #take(step: Exclude<Step, { do: 'wait' | 'stop' }>): void {
    switch (step.do) {
      case 'begin':
        this.#prefetch.remove(step.claims)
        return step.claims.forEach((claim) => void this.#send(claim))
      case 'release':
        return this.#deps.slots.releaseIdle(this.#id)
      case 'hold':
        this.#remove(step.rows)
        return this.#deps.slots.hold(step.rows)
      case 'settle':
        return this.#startRoundTrip(this.#settle(step))
      case 'hand on':
        this.#completed.push(...this.#giveBack(step.returned))
        this.#remove(step.rows)
        return this.#startRoundTrip(this.#handOn(step.rows))
    }
  }

  /** Waits for an event. A wait for the same reason goes on; for another it begins anew. */
  async #waitFor({ reason, atMostMs }: Wait): Promise<void> {
    if (this.#wait?.reason !== reason) {
      const wait = { reason, isOver: false }
      this.#wait = wait
      if (atMostMs !== null)
        void this.#deps.sleep(atMostMs).then(() => {
          wait.isOver = true
          this.#wake()
        })
    }
    await this.#event.promise
  }

  #wake(): void {
    this.#event.resolve()
    this.#event = Promise.withResolvers()
  }

  /** Makes an attempt in a slot of its own, which then stays with this run. */
  async #send(claim: Claim): Promise<void> {
    const { slots } = this.#deps
    const slot = slots.begin(this.#id, claim)
    const completed = this.#budget.isTooLateFor(claim)
      ? this.#notSent(claim, released('interrupted'))
      : await runAttempt(this.#deps, claim, this.#connections)
    slots.end(slot)
    this.#completed.push(completed)
    this.#prefetch.note(completed)
    this.#wake()
  }

  #notSent(claim: Claim, outcome: CompletedAttempt['outcome']): CompletedAttempt {
    const at = this.#deps.now()
    return { claim, outcome, startedAt: at, endedAt: at }
  }

  /** Prefetched claims that found no slot in time; settling them releases their rows. */
  #giveBack(claims: readonly Claim[]): CompletedAttempt[] {
    this.#prefetch.returned(claims)
    return claims.map((claim) => this.#notSent(claim, { status: 'returned' }))
  }

  #remove(rows: readonly WaitingRow[]): void {
    if (rows.length === 0) return
    const removed = new Set(rows)
    this.#rows = this.#rows.filter((row) => !removed.has(row))
  }

  #startRoundTrip(roundTrip: Promise<void>): void {
    this.#wait = null
    this.#hasRoundTrip = true
    roundTrip.then(
      () => {
        this.#hasRoundTrip = false
        this.#wake()
      },
      (error: unknown) => this.#event.reject(error),
    )
  }

  async #settle(step: SettleStep): Promise<void> {
    const { slots, newToken } = this.#deps
    const completed = [...this.#completed, ...this.#giveBack(step.returned)]
    const claimed = [...step.rows, ...step.prefetch]
    this.#completed = []
    this.#unfollowed = []
    this.#remove(claimed)
    slots.unhold(claimed)
    slots.reserve(this.#id, step.reserved)
    this.#budget.countRoundTrip(completed)

    const { settled, claims } = await settleWithRetries(this.#deps, completed, {
      claim: { ids: claimed.map(({ id }) => id), orders: step.orders },
      peek: { orders: step.peek },
      token: newToken(),
    })
    slots.endReservation(this.#id)
    if (claims) {
      this.#prefetch.add(claims.claims, this.#deps.now())
      this.#rows.push(...claims.waiting)
    } else {
      this.#budget.countWrittenAlone(completed.length)
      // Read once more, without anything to write.
      if (completed.length > 0) this.#unfollowed = [...step.orders, ...step.peek]
    }
    // A returned row that was cancelled makes way for the next of its order.
    for (const { claim, outcome } of completed)
      if (outcome.status === 'returned' && settled.get(claim.id)?.nextAttemptAt === null)
        this.#unfollowed.push(claim)
    this.#wake()

    if (!claims) await this.#handOn([...this.#rows.splice(0), ...claimed])
    await this.#enqueueRetries(settled)
    for (const one of completed) logAttempt(one, settled.get(one.claim.id))
  }

  async #enqueueRetries(settled: SettledRows): Promise<void> {
    const rows = [...settled].flatMap(([id, { nextAttemptAt: at }]) =>
      at === null ? [] : [{ id, at }],
    )
    await enqueue(this.#deps, rows)
  }

  /** Other invocations send these rows. */
  async #handOn(rows: readonly WaitingRow[]): Promise<void> {
    await enqueue(this.#deps, rows)
  }
}
