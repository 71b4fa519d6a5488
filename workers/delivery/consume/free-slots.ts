import { MAX_CONNECTIONS } from '../../../shared/db/deliveries/batch.ts'
import { MAX_PER_HOST, type Slot } from './host-slots.ts'

/** The slots of a run and of its isolate. */
interface Slots {
  slots: readonly Slot[]
  free: number
  countAt: (host: string) => number
}

/** Counts off the slots that a run may take: of its five, of the isolate's, and of each host's. */
export class FreeSlots {
  readonly #countAt: (host: string) => number
  readonly #change = new Map<string, number>()
  #left: number

  /** The run's idle slots are as good as free. */
  constructor({ slots, free, countAt }: Slots) {
    const idle = slots.filter(isIdle)
    this.#countAt = countAt
    this.#left = Math.min(MAX_CONNECTIONS - (slots.length - idle.length), free + idle.length)
    for (const { host } of idle) this.#add(host, -1)
  }

  isSaturated(host: string): boolean {
    return this.#countAt(host) + (this.#change.get(host) ?? 0) >= MAX_PER_HOST
  }

  /** Takes one, if there is one. */
  take(host: string): boolean {
    if (this.#left <= 0 || this.isSaturated(host)) return false
    this.#add(host, 1)
    this.#left -= 1
    return true
  }

  #add(host: string, change: number): void {
    this.#change.set(host, (this.#change.get(host) ?? 0) + change)
  }
}

export function isIdle({ use }: Slot): boolean {
  return use === 'idle'
}
