import type { Instant } from '../../../../shared/argentine-time.ts'

/** How long it is remembered whether a receiver leaves connections open. */
const KNOWN_MS = 10 * 60_000

/** How long one trial keeps others from beginning. */
const TRIAL_MS = 1000

/** Most receivers that are remembered; the oldest is forgotten first. */
const MAX_KNOWN = 1000

/**
 * Which receivers leave a connection open after an answer, as this isolate has seen. A receiver that
 * closes without saying so would lose the next request, and POSTs are never sent twice.
 */
export class KeepingHosts {
  readonly #now: () => Instant
  readonly #known = new Map<string, { keeps: boolean; until: Instant }>()

  constructor({ now }: { now: () => Instant }) {
    this.#now = now
  }

  /** `unknown` is said to one caller at a time, who tries it. */
  ask(key: string): 'keeps' | 'closes' | 'unknown' {
    const known = this.#known.get(key)
    if (known && known.until > this.#now()) return known.keeps ? 'keeps' : 'closes'

    this.#set(key, false, TRIAL_MS)
    return 'unknown'
  }

  note(key: string, keeps: boolean): void {
    this.#set(key, keeps, KNOWN_MS)
  }

  #set(key: string, keeps: boolean, ms: number): void {
    this.#known.delete(key)
    this.#known.set(key, { keeps, until: this.#now() + ms })
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value!)
  }
}
