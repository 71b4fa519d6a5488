/** What a delivery run does next, from random states. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_BEHIND, MAX_CONNECTIONS, MAX_ROWS } from '../../../shared/db/deliveries/batch.ts'
import { type Claim, orderOf } from '../../../shared/db/deliveries/claim.ts'
import { REDELIVERIES, type Redelivery } from '../../../shared/webhooks/delivery.ts'
import type { WaitingRow } from '../../../shared/db/deliveries/waiting.ts'
import type { CompletedAttempt } from '../../../workers/delivery/attempt/attempt.ts'
import {
  MAX_IN_FLIGHT,
  MAX_PER_HOST,
  type Slot,
} from '../../../workers/delivery/consume/host-slots.ts'
import {
  HOLD_MS,
  planNext,
  type RunState,
  type SettleStep,
} from '../../../workers/delivery/consume/plan-next.ts'
import { art } from '../../support/instant.ts'

const HOSTS = ['https://a.example', 'https://b.example', 'https://c.example']
const NOW = art('2026-03-02 12:00')
const RUN = Symbol('run')

type DrawnClaim = Pick<Claim, 'host' | 'subscriptionId' | 'type' | 'redelivery'>

/** What a random state is made of: plain data. */
interface Drawn {
  isOver: boolean
  hasRoundTrip: boolean
  elapsed: RunState['elapsed']
  attempts: { host: string; order: string | null }[]
  idle: string[]
  reserved: string[]
  /** Slots of other runs at each host, and elsewhere. */
  others: Record<string, number>
  elsewhere: number
  completed: (DrawnClaim & { isDelivered: boolean })[]
  prefetched: (DrawnClaim & { waitedMs: number })[]
  rows: string[]
  held: string[]
  unfollowed: DrawnClaim[]
  quickHosts: string[]
}

const host = fc.constantFrom(...HOSTS)
const subscriptionId = fc.constantFrom('w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7')
const claim = {
  host,
  subscriptionId,
  type: fc.constantFrom('automatic', 'manual'),
  redelivery: fc.constantFrom(null, null, ...REDELIVERIES),
} as const
const some = <Value>(value: fc.Arbitrary<Value>, maxLength: number) =>
  fc.array(value, { maxLength })

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    isOver: fc.boolean(),
    hasRoundTrip: fc.boolean(),
    elapsed: fc.constantFrom(null, 'some idle', 'all busy', 'no slot'),
    slots: some(
      fc.record({
        host,
        use: fc.constantFrom('attempt', 'idle', 'reserved'),
        order: fc.record(claim).map(orderOf),
      }),
      MAX_CONNECTIONS,
    ),
    others: fc.record(
      Object.fromEntries(
        HOSTS.map((name) => [
          name,
          fc.oneof(fc.nat(MAX_PER_HOST), fc.integer({ min: 14, max: MAX_PER_HOST })),
        ]),
      ),
    ),
    elsewhere: fc.constantFrom(0, 0, 120, 138, 200),
    completed: some(fc.record({ ...claim, isDelivered: fc.boolean() }), MAX_CONNECTIONS),
    prefetched: some(
      fc.record({ ...claim, waitedMs: fc.nat(2 * HOLD_MS) }),
      MAX_BEHIND * MAX_CONNECTIONS,
    ),
    rows: some(host, 30),
    held: some(host, 30),
    unfollowed: some(fc.record(claim), 3),
    quickHosts: fc.subarray(HOSTS),
  })
  .map(({ slots, ...rest }) => ({
    ...rest,
    // A run that waits for no round trip has reserved nothing.
    attempts: slots.filter(({ use }) => use === 'attempt'),
    idle: slots.filter(({ use }) => use === 'idle').map((slot) => slot.host),
    reserved: slots
      .filter(({ use }) => use === 'reserved' && rest.hasRoundTrip)
      .map((slot) => slot.host),
  }))

let ids = 0

function claimOf({ host, subscriptionId, type, redelivery }: DrawnClaim): Claim {
  return {
    id: ++ids,
    token: 'token',
    deliveryId: `delivery ${ids}`,
    subscriptionId,
    type,
    redelivery,
    attempts: 1,
    attemptsBefore: 0,
    releases: 0,
    createdAt: NOW,
    body: '{}',
    host,
    claimedAt: NOW,
    sealed: null,
    clears: false,
  }
}

function rowsOf(hosts: readonly string[]): WaitingRow[] {
  return hosts.map((name) => ({ id: ++ids, host: name }))
}

function slot(name: string, use: Slot['use'], order: string | null = null): Slot {
  return { run: RUN, host: name, use, order, takenAt: NOW }
}

function completedOf(one: Drawn['completed'][number]): CompletedAttempt {
  const outcome = one.isDelivered
    ? { status: 'delivered' as const, code: 204 }
    : { status: 'failed' as const, code: 500, errorType: 'http' as const, retryAfterSeconds: null }
  return { claim: claimOf(one), outcome, startedAt: NOW, endedAt: NOW }
}

function stateOf(given: Partial<Drawn>): RunState {
  const one: Drawn = {
    isOver: false,
    hasRoundTrip: false,
    elapsed: null,
    attempts: [],
    idle: [],
    reserved: [],
    others: {},
    elsewhere: 0,
    completed: [],
    prefetched: [],
    rows: [],
    held: [],
    unfollowed: [],
    quickHosts: [],
    ...given,
  }
  const slots = [
    ...one.attempts.map(({ host: at, order }) => slot(at, 'attempt', order)),
    ...one.idle.map((at) => slot(at, 'idle')),
    ...one.reserved.map((at) => slot(at, 'reserved')),
  ]
  const countAt = (at: string) =>
    (one.others[at] ?? 0) + slots.filter((other) => other.host === at).length
  const total = one.elsewhere + HOSTS.reduce((sum, at) => sum + countAt(at), 0)
  const held = rowsOf(one.held)
  return {
    now: NOW,
    isOver: one.isOver,
    hasRoundTrip: one.hasRoundTrip,
    elapsed: one.elapsed,
    slots,
    free: Math.max(0, MAX_IN_FLIGHT - total),
    countAt,
    completed: one.completed.map(completedOf),
    prefetched: one.prefetched.map((claim) => ({
      claim: claimOf(claim),
      since: NOW - claim.waitedMs,
    })),
    quickHosts: new Set(one.quickHosts),
    rows: rowsOf(one.rows),
    heldFor: (at) => held.filter((row) => row.host === at).slice(0, MAX_ROWS),
    unfollowed: one.unfollowed.map(claimOf),
  }
}

/** What a plan takes slots for, if it takes any: the hosts of what begins or is claimed to begin. */
function takenBy(state: RunState): { hosts: string[]; orders: string[] } {
  const step = planNext(state)
  if (step.do === 'begin')
    return {
      hosts: step.claims.map((claim) => claim.host),
      orders: step.claims.flatMap((claim) => orderOf(claim) ?? []),
    }
  if (step.do === 'settle')
    return {
      hosts: [...step.reserved],
      orders: step.orders.flatMap((row) => orderOf(row as Claim) ?? []),
    }
  return { hosts: [], orders: [] }
}

/** The slots that this run has in use. */
function inUse({ slots }: RunState): Slot[] {
  return slots.filter(({ use }) => use !== 'idle')
}

/** How many slots of a host are in use, when the idle ones of this run are given back. */
function usedAt(state: RunState, at: string): number {
  const idle = state.slots.filter((one) => one.use === 'idle' && one.host === at).length
  return state.countAt(at) - idle
}

function holds(property: (state: RunState) => void): void {
  fc.assert(
    fc.property(drawn, (given) => property(stateOf(given))),
    { numRuns: 2000 },
  )
}

describe('whatever the state, a run', () => {
  it('never has more than five attempts', () => {
    holds((state) => {
      const { hosts } = takenBy(state)
      expect(inUse(state).length + hosts.length).toBeLessThanOrEqual(MAX_CONNECTIONS)
    })
  })

  it('never has two attempts of one order: a webhook’s, or that of its redeliveries', () => {
    holds((state) => {
      const { orders } = takenBy(state)
      const busy = state.slots.flatMap(({ order }) => order ?? [])
      expect(new Set(orders).size).toBe(orders.length)
      expect(orders.filter((one) => busy.includes(one))).toEqual([])
    })
  })

  it('never takes a host or the isolate over its limit', () => {
    holds((state) => {
      const { hosts } = takenBy(state)
      const idle = state.slots.length - inUse(state).length
      expect(hosts.length).toBeLessThanOrEqual(state.free + idle)
      for (const at of new Set(hosts)) {
        const more = hosts.filter((one) => one === at).length
        expect(usedAt(state, at) + more).toBeLessThanOrEqual(MAX_PER_HOST)
      }
    })
  })

  it('leaves no slot idle while a claim may begin', () => {
    holds((state) => {
      if (planNext(state).do === 'begin') return
      const idle = state.slots.length - inUse(state).length
      if (inUse(state).length >= MAX_CONNECTIONS || state.free + idle === 0) return
      const busy = state.slots.map(({ order }) => order)
      for (const { claim } of state.prefetched)
        if (orderOf(claim) === null || !busy.includes(orderOf(claim)))
          expect(usedAt(state, claim.host)).toBeGreaterThanOrEqual(MAX_PER_HOST)
    })
  })

  it('leaves no slot idle while a row may be claimed, but for the moment in which outcomes gather', () => {
    holds((state) => {
      const step = planNext(state)
      if (step.do !== 'wait' && step.do !== 'stop' && step.do !== 'hand on') return
      if (state.isOver || state.hasRoundTrip || inUse(state).length >= MAX_CONNECTIONS) return
      const free = state.rows.filter((row) => usedAt(state, row.host) < MAX_PER_HOST)
      if (free.length === 0 || state.free === 0) return
      expect(step).toMatchObject({ do: 'wait', atMostMs: expect.toSatisfy((ms) => ms <= 500) })
    })
  })

  it('claims and settles no more rows at once than a statement takes', () => {
    holds((state) => {
      const step = planNext(state)
      if (step.do !== 'settle') return
      expect(step.rows.length + step.prefetch.length).toBeLessThanOrEqual(MAX_ROWS)
      expect(step.completed.length).toBeLessThanOrEqual(MAX_ROWS)
      const claimed = [...step.rows, ...step.prefetch].map(({ id }) => id)
      expect(new Set(claimed).size).toBe(claimed.length)
    })
  })

  it('prefetches two rows behind each attempt at the most, and for quick hosts only', () => {
    holds((state) => {
      const step = planNext(state)
      if (step.do !== 'settle' || step.prefetch.length === 0) return
      const kept = state.prefetched.length - step.returned.length
      const attempts = inUse(state).length + step.reserved.length
      expect(kept + step.prefetch.length).toBeLessThanOrEqual(MAX_BEHIND * attempts)
      for (const row of step.prefetch) expect(state.quickHosts).toContain(row.host)
    })
  })

  it('claims nothing when its time is over, and makes one round trip at a time', () => {
    holds((state) => {
      const step = planNext(state)
      if (step.do === 'settle' || step.do === 'hand on') expect(state.hasRoundTrip).toBe(false)
      if (step.do === 'settle' && state.isOver)
        expect([...step.rows, ...step.prefetch, ...step.orders]).toEqual([])
    })
  })

  it('stops only when nothing is left', () => {
    holds((state) => {
      if (planNext(state).do !== 'stop') return
      const { completed, prefetched, rows, unfollowed, hasRoundTrip, slots } = state
      expect([...completed, ...prefetched, ...rows, ...unfollowed, ...slots]).toEqual([])
      expect(hasRoundTrip).toBe(false)
    })
  })
})

const [A, B] = HOSTS as [string, string]
const automatic = (host: string, subscriptionId: string) =>
  ({ host, subscriptionId, type: 'automatic', redelivery: null }) as const
const waiting = (host: string, webhook: string) => ({ ...automatic(host, webhook), waitedMs: 0 })
const delivered = (host: string, webhook: string, redelivery: Redelivery | null = null) => ({
  ...automatic(host, webhook),
  redelivery,
  isDelivered: true,
})

describe('the next step', () => {
  it.each([
    ['all busy', { attempts: [{ host: A, order: 'w1' }], idle: [] }, 100],
    ['some idle', { attempts: [{ host: A, order: 'w1' }], idle: [A] }, 8],
  ])('gathers outcomes while slots are %s', (reason, slots, atMostMs) => {
    const state = { ...slots, completed: [delivered(A, 'w2')] }
    expect(planNext(stateOf(state))).toEqual({ do: 'wait', reason, atMostMs })
    expect(planNext(stateOf({ ...state, elapsed: reason as never })).do).toBe('settle')
  })

  it('claims rows before what follows a webhook, and only reads what finds no slot', () => {
    const step = planNext(
      stateOf({
        idle: [A],
        others: { [A]: MAX_PER_HOST - 1 },
        completed: [delivered(A, 'w1')],
        rows: [A],
      }),
    )
    expect(step).toMatchObject({
      do: 'settle',
      reserved: [A],
      orders: [],
      peek: [{ subscriptionId: 'w1' }],
    })
  })

  it('follows the order of a webhook and that of its redeliveries, and nothing that is in none', () => {
    const completed = [null, 'in order', 'alone'] as const
    const state = stateOf({
      idle: [A, A, A],
      completed: completed.map((redelivery) => delivered(A, 'w1', redelivery)),
    })
    const step = planNext(state) as SettleStep
    expect(step.orders.map(({ redelivery }) => redelivery)).toEqual([null, 'in order'])
    expect(step.reserved).toEqual([A, A])
  })

  it('claims rows that are held for the host of an attempt that ended', () => {
    const step = planNext(stateOf({ idle: [A], completed: [delivered(A, 'w1')], held: [A, B] }))
    expect(step).toMatchObject({ do: 'settle', rows: [{ host: A }], reserved: [A, A] })
  })

  it('prefetches two rows behind each attempt, less those that wait already', () => {
    const step = planNext(
      stateOf({
        attempts: [A, A, A].map((at) => ({ host: at, order: null })),
        idle: [A, A],
        others: { [B]: MAX_PER_HOST },
        completed: [delivered(A, 'w1'), delivered(A, 'w2')],
        elapsed: 'some idle',
        prefetched: [waiting(B, 'w3')],
        rows: Array.from({ length: 20 }, () => A),
        quickHosts: [A],
      }),
    )
    expect(step).toMatchObject({ do: 'settle', reserved: [A, A] })
    expect((step as SettleStep).prefetch).toHaveLength(9)
  })

  it('hands rows of a saturated host to the runs that have slots there', () => {
    const step = planNext(stateOf({ others: { [A]: MAX_PER_HOST }, rows: [A, B] }))
    expect(step).toMatchObject({ do: 'hold', rows: [{ host: A }] })
  })

  it('hands on what found no slot in time', () => {
    const state = {
      attempts: Array.from({ length: 5 }, () => ({ host: A, order: null })),
      prefetched: [waiting(A, 'w1')],
      rows: [B],
    }
    expect(planNext(stateOf(state))).toMatchObject({ do: 'wait', atMostMs: HOLD_MS })
    expect(planNext(stateOf({ ...state, elapsed: 'no slot' }))).toMatchObject({
      do: 'hand on',
      rows: [{ host: B }],
      returned: [{ subscriptionId: 'w1' }],
    })
  })
})
