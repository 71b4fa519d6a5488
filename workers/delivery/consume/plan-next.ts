/**
 * What a delivery run does next. Pure: it reads the state of the run and changes nothing. The rules,
 * in their order:
 *
 * 1. A claim begins as soon as it has a slot, whatever else is under way.
 * 2. An idle slot is kept only until the outcome of its attempt is written.
 * 3. A row of a saturated host is handed to the runs that have slots there.
 * 4. One round trip to the database or the queue at a time, for one connection is left for it.
 * 5. Outcomes gather for a moment, so that more of them share a round trip.
 * 6. One round trip writes outcomes and claims what follows them.
 * 7. What finds no slot within `HOLD_MS` goes to another invocation.
 */
import type { Instant } from '../../../shared/argentine-time.ts'
import { MAX_BEHIND } from '../../../shared/db/deliveries/batch.ts'
import { type Claim, orderOf, type Place } from '../../../shared/db/deliveries/claim.ts'
import type { WaitingRow } from '../../../shared/db/deliveries/waiting.ts'
import type { CompletedAttempt } from '../attempt/attempt.ts'
import { FreeSlots, isIdle } from './free-slots.ts'
import { MAX_PER_HOST, type Slot } from './host-slots.ts'
import type { Prefetched } from './prefetch.ts'

/** How long a row or a claim may wait for a slot, in milliseconds: longer than two quick deliveries. */
export const HOLD_MS = 500

/** How long outcomes gather, in milliseconds: while all slots are busy, and when one is idle. */
const GATHER_BUSY_MS = 100
const GATHER_IDLE_MS = 8

/** All that a plan depends on. */
export interface RunState {
  now: Instant
  /** The time or the queries of this invocation are used up: it claims nothing more. */
  isOver: boolean
  /** A round trip is under way. */
  hasRoundTrip: boolean
  /** The wait of the last step, if its time is over and nothing has happened. */
  elapsed: Wait['reason'] | null
  /** The slots of this run. */
  slots: readonly Slot[]
  /** How many slots the isolate has left, and how many are in use at a host. */
  free: number
  countAt: (host: string) => number
  /** Attempts that are not written yet. */
  completed: readonly CompletedAttempt[]
  /** Claims that wait for a slot. */
  prefetched: readonly Prefetched[]
  /** Hosts for which claims may be prefetched. */
  quickHosts: ReadonlySet<string>
  /** Rows that wait to be claimed: this run's, and those held for a host. */
  rows: readonly WaitingRow[]
  heldFor: (host: string) => readonly WaitingRow[]
  /** Rows whose attempt is written, and after which the next of their order was not claimed. */
  unfollowed: readonly Place[]
}

/** Why a run waits, and for how long when nothing happens. */
export interface Wait {
  reason: 'attempt' | 'round trip' | 'all busy' | 'some idle' | 'no slot'
  atMostMs: number | null
}

/** One round trip: what is written, and what is claimed with it. */
export interface SettleStep {
  do: 'settle'
  completed: readonly CompletedAttempt[]
  /** Prefetched claims that waited too long; they are settled too. */
  returned: readonly Claim[]
  /** Rows and orders that are claimed, each for a slot that is reserved at its host. */
  rows: readonly WaitingRow[]
  orders: readonly Place[]
  reserved: readonly string[]
  /** Rows that are claimed to follow. */
  prefetch: readonly WaitingRow[]
  /** Webhooks of which only the next row is read. */
  peek: readonly Place[]
}

export type Step =
  | { do: 'begin'; claims: readonly Claim[] }
  | { do: 'release' }
  | { do: 'hold'; rows: readonly WaitingRow[] }
  | SettleStep
  /** Rows go to other invocations through the queue; claims are given back. */
  | { do: 'hand on'; rows: readonly WaitingRow[]; returned: readonly Claim[] }
  | ({ do: 'wait' } & Wait)
  | { do: 'stop' }

export function planNext(state: RunState): Step {
  return (
    begin(state) ??
    release(state) ??
    hold(state) ??
    awaitRoundTrip(state) ??
    gather(state) ??
    settle(state) ??
    waitOrHandOn(state)
  )
}

function begin(state: RunState): Step | null {
  const free = new FreeSlots(state)
  const busy = new Set(state.slots.map(({ order }) => order))
  const claims: Claim[] = []
  for (const { claim } of state.prefetched) {
    const order = orderOf(claim)
    if ((order !== null && busy.has(order)) || !free.take(claim.host)) continue
    busy.add(order)
    claims.push(claim)
  }
  return claims.length > 0 ? { do: 'begin', claims } : null
}

function release({ slots, completed }: RunState): Step | null {
  return completed.length === 0 && slots.some(isIdle) ? { do: 'release' } : null
}

function hold(state: RunState): Step | null {
  const free = new FreeSlots(state)
  const rows = state.rows.filter(({ host }) => free.isSaturated(host))
  return rows.length > 0 ? { do: 'hold', rows } : null
}

function awaitRoundTrip({ hasRoundTrip }: RunState): Step | null {
  return hasRoundTrip ? { do: 'wait', reason: 'round trip', atMostMs: null } : null
}

function gather({ completed, slots, elapsed }: RunState): Step | null {
  const isAlone = !slots.some(({ use }) => use === 'attempt')
  if (completed.length === 0 || isAlone) return null

  if (slots.some(isIdle))
    return elapsed === 'some idle'
      ? null
      : { do: 'wait', reason: 'some idle', atMostMs: GATHER_IDLE_MS }
  return elapsed === 'all busy'
    ? null
    : { do: 'wait', reason: 'all busy', atMostMs: GATHER_BUSY_MS }
}

function settle(state: RunState): SettleStep | null {
  const { now, completed, prefetched, unfollowed } = state
  const [old, young] = partition(prefetched, ({ since }) => since < now - HOLD_MS)
  const free = new FreeSlots(state)
  // Rows first: they have waited, and what follows a webhook has not.
  const candidates = [...state.rows, ...heldRows(state)]
  const rows = state.isOver ? [] : candidates.filter(({ host }) => free.take(host))
  if (completed.length + unfollowed.length + rows.length === 0) return null

  const { next, later } = followers(state, free)
  const reserved = [...rows, ...next].map(({ host }) => host)
  const prefetch = state.isOver ? [] : rowsToPrefetch(state, young, { candidates, rows, reserved })
  return {
    do: 'settle',
    completed,
    returned: old.map(({ claim }) => claim),
    rows,
    orders: next,
    reserved,
    prefetch,
    peek: [...later, ...unfollowed],
  }
}

/** Rows held for the hosts at which an attempt of this run has ended. */
function heldRows({ completed, heldFor }: RunState): WaitingRow[] {
  return [...new Set(completed.map(({ claim }) => claim.host))].flatMap((host) => heldFor(host))
}

/** Orders of which an attempt has ended: the next row of each is claimed where a slot is left. */
function followers(state: RunState, free: FreeSlots) {
  const ended = state.completed
    .filter(({ outcome }) => outcome.status !== 'returned')
    .map(({ claim }) => [orderOf(claim), claim] as const)
    .filter(([order]) => order !== null)
  const busy = new Set(state.slots.map(({ order }) => order))
  const [next, later] = partition(
    [...new Map(ended).values()],
    (claim) => !state.isOver && !busy.has(orderOf(claim)) && free.take(claim.host),
  )
  return { next, later }
}

/** Two rows behind each attempt, for quick hosts that have a slot, or will when an attempt ends. */
function rowsToPrefetch(
  { slots, countAt, quickHosts }: RunState,
  prefetched: readonly Prefetched[],
  {
    candidates,
    rows,
    reserved,
  }: { candidates: WaitingRow[]; rows: WaitingRow[]; reserved: string[] },
): WaitingRow[] {
  const attempts = slots.filter(({ use }) => use === 'attempt').map(({ host }) => host)
  const underWay = [...attempts, ...reserved]
  const hosts = new Set(underWay)
  const chosen = new Set(rows)
  return candidates
    .filter(
      (row) =>
        !chosen.has(row) &&
        quickHosts.has(row.host) &&
        (hosts.has(row.host) || countAt(row.host) < MAX_PER_HOST),
    )
    .slice(0, Math.max(0, MAX_BEHIND * underWay.length - prefetched.length))
}

function waitOrHandOn({ slots, prefetched, rows, elapsed }: RunState): Step {
  const hasAttempts = slots.some(({ use }) => use === 'attempt')
  const waits = prefetched.length + rows.length > 0
  const returned = prefetched.map(({ claim }) => claim)
  if (waits && (elapsed === 'no slot' || !hasAttempts)) return { do: 'hand on', rows, returned }
  if (waits) return { do: 'wait', reason: 'no slot', atMostMs: HOLD_MS }
  return hasAttempts ? { do: 'wait', reason: 'attempt', atMostMs: null } : { do: 'stop' }
}

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): [Item[], Item[]] {
  const first: Item[] = []
  const second: Item[] = []
  for (const item of items) (isFirst(item) ? first : second).push(item)
  return [first, second]
}
