import { RETRIES } from '../cost/operations.ts'
import { CYCLE_SECONDS, CYCLES } from './day.ts'
import type { Design } from './design.ts'
import { amountOf, Line, type Parcel } from './line.ts'
import {
  ATTEMPT_MS,
  HINTS_OF_RUN,
  HINTS_PER_SECOND,
  MADE_MS,
  PRUNED_MS,
  sentPerSecond,
  waitBehindRuns,
} from './parts.ts'
import { PLATFORM } from './platform.ts'

/** Second attempts come after this. */
const RETRY_SECONDS = 30
/** Of attempts. */
const FAILED = RETRIES / (1 + RETRIES)
/** Fewer than this are none: a part of a delivery would be tried again for ever. */
const LEAST_AGAIN = 0.01
/** Of a second's thread, for deletions that may take what they need: they are in no hurry. */
const PRUNING_MS = 100

/** A day of one database of deliveries and its queue, each a line that its rate empties. */
export class ShardDay {
  readonly #design: Design
  readonly #sentPerSecond: number
  readonly #recording = new Line()
  readonly #hints = new Line()
  readonly #sending = new Line()
  readonly #pruning = new Line()
  /** Written, and not to be seen before their transaction ends. */
  #uncommitted: Parcel[] = []
  #uncommittedRows = 0
  /** Second attempts by the second in which they are due. */
  readonly #again = new Float64Array(CYCLES * CYCLE_SECONDS + RETRY_SECONDS)
  #inBackoff = 0

  /** Busy milliseconds of the database's thread. */
  busyMs = 0
  /** Seconds from a change to the last first attempt that it brought, the longest so far. */
  lastArrival = 0
  /** The longest wait of a query from outside so far, in milliseconds. */
  wait = 0

  constructor(design: Design) {
    this.#design = design
    this.#sentPerSecond = sentPerSecond(design.consumers)
  }

  /** Deliveries that are made, or are being made, and have not ended. */
  get open(): number {
    const waiting = this.#hints.backlog + this.#sending.backlog + this.#inBackoff
    return this.#recording.backlog + this.#uncommittedRows + waiting
  }

  /** Rows past their seven days. */
  get unpruned(): number {
    return this.#pruning.backlog
  }

  change(second: number, rows: number): void {
    const parcel = { since: second, amount: rows }
    this.#recording.arrive([parcel])
    // As if each of the last seven days had been this one.
    this.#pruning.arrive([parcel])
  }

  /** One second of the thread: reads, deletions, new rows, then claims and outcomes. */
  play(second: number, readMs: number): void {
    const { slice } = this.#design
    this.wait = Math.max(this.wait, this.#waitNow())
    let left = 1000 - readMs
    left -= this.#prune(left)
    // One batch holds the thread until it is through; slices and round trips take turns.
    left -= this.#record(slice === null ? left : left / 2)
    this.#sending.arrive(this.#hints.serve(HINTS_PER_SECOND))
    left -= this.#send(second, left)
    this.busyMs += 1000 - left
  }

  #prune(leftMs: number): number {
    const { prunedAMinute } = this.#design
    const rows = prunedAMinute === null ? PRUNING_MS / PRUNED_MS : prunedAMinute / 60
    return amountOf(this.#pruning.serve(Math.min(rows, leftMs / PRUNED_MS))) * PRUNED_MS
  }

  #record(leftMs: number): number {
    if (this.#recording.backlog === 0) return 0
    const { slice } = this.#design
    const rowMs = MADE_MS + (slice === null ? 0 : PLATFORM.writeMs / slice)
    const made = this.#recording.serve(leftMs / rowMs)
    this.#uncommitted.push(...made)
    this.#uncommittedRows += amountOf(made)
    if (slice !== null || this.#recording.backlog === 0) {
      this.#hints.arrive(this.#uncommitted)
      this.#uncommitted = []
      this.#uncommittedRows = 0
    }
    return amountOf(made) * rowMs
  }

  #send(second: number, leftMs: number): number {
    const again = this.#again[second]!
    if (again > 0) this.#sending.arrive([{ since: second, amount: again }])
    this.#inBackoff = Math.max(0, this.#inBackoff - again)
    const sent = this.#sending.serve(Math.min(this.#sentPerSecond, leftMs / ATTEMPT_MS))
    const attempts = amountOf(sent)
    for (const { since } of sent) this.lastArrival = Math.max(this.lastArrival, second + 1 - since)
    const failed = attempts * FAILED < LEAST_AGAIN ? 0 : attempts * FAILED
    this.#again[second + RETRY_SECONDS]! += failed
    this.#inBackoff += failed
    return attempts * ATTEMPT_MS
  }

  /** How long a query waits that comes now: behind what is left of a batch, and behind the runs that ask in turn. */
  #waitNow(): number {
    const { slice, consumers } = this.#design
    const rows = Math.min(this.#recording.backlog, slice ?? Infinity)
    const runs = Math.min(consumers, this.#sending.backlog / HINTS_OF_RUN)
    return rows * MADE_MS + waitBehindRuns(runs)
  }
}
