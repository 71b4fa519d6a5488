import type { Instant } from '../../../shared/argentine-time.ts'
import { MAX_CONNECTIONS } from '../attempt/connections.ts'

/** Most attempts at once in one isolate: what bounds memory, with every receiver hanging. */
export const MAX_IN_FLIGHT = 200

/**
 * Most attempts at once to one host from one isolate: a host that hangs costs no more than these.
 * What four invocations send, so that some send while others write how their attempts ended. An
 * invocation that begins does not know the hosts of its hints yet, and may exceed it by its five.
 */
export const MAX_PER_HOST = 4 * MAX_CONNECTIONS

/**
 * A place that was not given back after so long belongs to an invocation that the platform ended:
 * none lives longer than 30 seconds after its handler has returned.
 */
export const PLACE_MS = 45_000

/**
 * The attempts under way in this isolate, and the rows that wait for a place at their host. Plain
 * instants and numbers: nothing here belongs to an invocation, and nothing is lost with it but time.
 */
export class InFlight {
  readonly #now: () => Instant
  /** When the places of each host were taken, the oldest first. */
  readonly #taken = new Map<string, Instant[]>()
  readonly #waiting = new Map<string, Set<number>>()

  constructor({ now }: { now: () => Instant }) {
    this.#now = now
  }

  /** How many more attempts this isolate may begin. */
  get room(): number {
    return Math.max(0, MAX_IN_FLIGHT - this.total)
  }

  get total(): number {
    return [...this.#taken.keys()].reduce((sum, origin) => sum + this.countAt(origin), 0)
  }

  countAt(origin: string): number {
    return this.#live(origin).length
  }

  /** Whether a host may have another attempt. */
  hasPlace(origin: string): boolean {
    return this.countAt(origin) < MAX_PER_HOST
  }

  /** The hosts that have no room for so many more attempts. */
  crowded(count: number): string[] {
    return [...this.#taken.keys()].filter((origin) => this.countAt(origin) + count > MAX_PER_HOST)
  }

  /**
   * Gives out at most `free` places, and at each host as many as it has, those `taken` before
   * counted: a place for each call.
   */
  places(free: number, taken: readonly string[] = []): (origin: string) => boolean {
    const given = new Map<string, number>()
    let left = free

    const hasPlace = (origin: string) => {
      const count = given.get(origin) ?? 0
      if (left <= 0 || this.countAt(origin) + count >= MAX_PER_HOST) return false
      given.set(origin, count + 1)
      left -= 1
      return true
    }
    taken.forEach(hasPlace)
    return hasPlace
  }

  /** Keeps a row until an attempt to its host ends. One must be under way, or nobody takes it. */
  hold(origin: string, id: number): void {
    const waiting = this.#waiting.get(origin) ?? new Set()
    this.#waiting.set(origin, waiting.add(id))
  }

  /** At most `count` rows that wait for a host, the longest waiting first. */
  take(origin: string, count: number): number[] {
    const waiting = this.#waiting.get(origin) ?? new Set()
    const taken: number[] = []
    for (const id of waiting) {
      if (taken.length >= count) break
      taken.push(id)
      waiting.delete(id)
    }
    if (waiting.size === 0) this.#waiting.delete(origin)
    return taken
  }

  begin(origins: Iterable<string>): void {
    for (const origin of origins) this.#taken.set(origin, [...this.#live(origin), this.#now()])
  }

  end(origins: Iterable<string>): void {
    for (const origin of origins) {
      const left = this.#live(origin).slice(1)
      if (left.length > 0) this.#taken.set(origin, left)
      else this.#taken.delete(origin)
    }
  }

  #live(origin: string): Instant[] {
    const oldest = this.#now() - PLACE_MS
    const taken = this.#taken.get(origin) ?? []
    return taken.length > 0 && taken[0]! <= oldest ? taken.filter((at) => at > oldest) : taken
  }
}
