import type { Instant } from '../../../shared/argentine-time.ts'
import { MAX_CONNECTIONS, MAX_ROWS } from '../../../shared/db/deliveries/batch.ts'
import { type Claim, orderOf } from '../../../shared/db/deliveries/claim.ts'
import type { WaitingRow } from '../../../shared/db/deliveries/waiting.ts'

/** Most attempts at once in one isolate. It bounds memory while every receiver hangs. */
export const MAX_IN_FLIGHT = 200

/**
 * Most attempts at once from one isolate to one host, so a host that hangs costs no more. It is what
 * four invocations send: some send while others write outcomes. A beginning invocation does not
 * know the hosts of its hints yet, and may exceed it by its five.
 */
export const MAX_PER_HOST = 4 * MAX_CONNECTIONS

/**
 * A slot held for so long belongs to an invocation that the platform ended: none lives longer than
 * 30 seconds after its handler has returned.
 */
export const SLOT_MS = 45_000

/** Identifies an invocation. */
export type Run = symbol

/** The right to one attempt at a host. */
export interface Slot {
  readonly run: Run
  readonly host: string
  /**
   * `attempt`: in use. `idle`: its attempt ended, and its run keeps it for what follows. `reserved`:
   * its run is claiming a row for it.
   */
  use: 'attempt' | 'idle' | 'reserved'
  /** The order that the attempt is in; null for one that is in none. */
  order: string | null
  readonly takenAt: Instant
}

/**
 * Who holds the slots of this isolate, and the rows that wait for one. It holds plain data only, for
 * it outlives every invocation.
 */
export class HostSlots {
  readonly #now: () => Instant
  /** The oldest first. */
  readonly #slots = new Set<Slot>()
  readonly #counts = new Map<string, number>()
  readonly #waiting = new Map<string, Set<number>>()
  #startedAt: Instant | null = null

  constructor({ now }: { now: () => Instant }) {
    this.#now = now
  }

  get total(): number {
    this.#expire()
    return this.#slots.size
  }

  /** How many more slots this isolate has. */
  get free(): number {
    return Math.max(0, MAX_IN_FLIGHT - this.total)
  }

  countAt(host: string): number {
    this.#expire()
    return this.#counts.get(host) ?? 0
  }

  /** The hosts that have no slots for so many more attempts. */
  saturated(count: number): string[] {
    this.#expire()
    return [...this.#counts].filter(([, used]) => used + count > MAX_PER_HOST).map(([host]) => host)
  }

  /** The slots of a run. */
  of(run: Run): Slot[] {
    this.#expire()
    return [...this.#slots].filter((slot) => slot.run === run)
  }

  /** Lets one run at a time claim its hints: two would claim for the same slots. */
  tryStart(): boolean {
    const now = this.#now()
    if (this.free === 0 || (this.#startedAt !== null && this.#startedAt > now - SLOT_MS))
      return false
    this.#startedAt = now
    return true
  }

  endStart(): void {
    this.#startedAt = null
  }

  /** A slot for an attempt: the run's idle one at the host, or else a new one for another idle one. */
  begin(run: Run, claim: Pick<Claim, 'host' | 'subscriptionId' | 'type' | 'redelivery'>): Slot {
    const { host } = claim
    const idle = this.of(run).filter(({ use }) => use === 'idle')
    const own = idle.find((slot) => slot.host === host)
    if (!own && idle[0]) this.#release(idle[0])
    const slot = own ?? this.take(run, host)
    slot.use = 'attempt'
    slot.order = orderOf(claim)
    return slot
  }

  /** A new slot, in use. */
  take(run: Run, host: string): Slot {
    const slot: Slot = { run, host, use: 'attempt', order: null, takenAt: this.#now() }
    this.#slots.add(slot)
    this.#counts.set(host, (this.#counts.get(host) ?? 0) + 1)
    return slot
  }

  /** The attempt has ended; its run keeps the slot. */
  end(slot: Slot): void {
    slot.use = 'idle'
    slot.order = null
  }

  /** Gives back the idle slots of a run and takes one at each of these hosts, in one step. */
  reserve(run: Run, hosts: readonly string[]): void {
    this.releaseIdle(run)
    for (const host of hosts) this.take(run, host).use = 'reserved'
  }

  /** What was to be claimed is claimed, or not: the reserved slots are idle now. */
  endReservation(run: Run): void {
    for (const slot of this.of(run)) if (slot.use === 'reserved') slot.use = 'idle'
  }

  releaseIdle(run: Run): void {
    for (const slot of this.of(run)) if (slot.use === 'idle') this.#release(slot)
  }

  /** Keeps rows of saturated hosts for the runs that have slots there. */
  hold(rows: Iterable<WaitingRow>): void {
    for (const { id, host } of rows)
      this.#waiting.set(host, (this.#waiting.get(host) ?? new Set()).add(id))
  }

  /** The rows held for a host that one claim can have, the longest waiting first. */
  heldFor(host: string): WaitingRow[] {
    const rows: WaitingRow[] = []
    // Not copied whole: there may be thousands.
    for (const id of this.#waiting.get(host) ?? []) if (rows.push({ id, host }) === MAX_ROWS) break
    return rows
  }

  /** Takes the rows that nobody else will: those held for hosts at which no run has a slot. */
  takeOrphans(): WaitingRow[] {
    const hosts = [...this.#waiting.keys()].filter((host) => this.countAt(host) === 0)
    const orphans = hosts.flatMap((host) =>
      [...this.#waiting.get(host)!].map((id) => ({ id, host })),
    )
    this.unhold(orphans)
    return orphans
  }

  unhold(rows: Iterable<WaitingRow>): void {
    for (const { id, host } of rows) {
      const held = this.#waiting.get(host)
      held?.delete(id)
      if (held?.size === 0) this.#waiting.delete(host)
    }
  }

  #release(slot: Slot): void {
    if (!this.#slots.delete(slot)) return
    const left = this.#counts.get(slot.host)! - 1
    if (left > 0) this.#counts.set(slot.host, left)
    else this.#counts.delete(slot.host)
  }

  #expire(): void {
    const oldest = this.#now() - SLOT_MS
    for (const slot of this.#slots) {
      if (slot.takenAt > oldest) break
      this.#release(slot)
    }
  }
}
