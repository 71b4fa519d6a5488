import type { InFlight } from './host-slots.ts'

/** A row that waits, and the host that it goes to. */
export type Waiting = readonly [id: number, origin: string]

/**
 * The rows that one invocation has still to send: they may go out, and wait for a place. Those whose
 * host has enough attempts wait for one of these to end, whichever invocation makes it.
 */
export class Backlog {
  readonly #rows = new Map<number, string>()
  readonly #inFlight: InFlight

  constructor(inFlight: InFlight) {
    this.#inFlight = inFlight
  }

  get size(): number {
    return this.#rows.size
  }

  add(id: number, origin: string): void {
    if (this.#inFlight.hasPlace(origin)) this.#rows.set(id, origin)
    else this.#inFlight.hold(origin, id)
  }

  /** Takes at most `count` of the rows that wait for a host. */
  takeOver(origin: string, count: number): void {
    for (const id of this.#inFlight.take(origin, count)) this.#rows.set(id, origin)
  }

  /** Gives the rows whose host has enough attempts to those who make them. */
  giveUpCrowded(): void {
    const rows = [...this.#rows]
    this.#rows.clear()
    for (const [id, origin] of rows) this.add(id, origin)
  }

  /** The rows for which there is one of so many free places, in the order they came. */
  pick(free: number): Waiting[] {
    const hasPlace = this.#inFlight.places(free)
    return [...this.#rows].filter(([, origin]) => hasPlace(origin))
  }

  /** The rows, but these, for which there is a place. */
  pickOthers(picked: readonly Waiting[], hasPlace: (origin: string) => boolean): Waiting[] {
    const ids = new Set(picked.map(([id]) => id))
    return [...this.#rows].filter(([id, origin]) => !ids.has(id) && hasPlace(origin))
  }

  delete(rows: readonly Waiting[]): void {
    for (const [id] of rows) this.#rows.delete(id)
  }

  /** Empties it. */
  drain(): number[] {
    const ids = [...this.#rows.keys()]
    this.#rows.clear()
    return ids
  }
}
