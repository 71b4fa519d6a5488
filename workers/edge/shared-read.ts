import { type Instant, SECOND_MS } from '../../shared/argentine-time.ts'

/** A read that takes longer is given up by later requests, which begin another. */
const GIVE_UP_MS = 5 * SECOND_MS

/** One read at a time, for which all requests of the isolate wait. */
export class SharedRead<Value> {
  #running: { since: Instant; promise: Promise<Value> } | null = null

  join(
    read: () => Promise<Value>,
    now: Instant,
    context: Pick<ExecutionContext, 'waitUntil'>,
  ): Promise<Value> {
    if (!this.#running || Math.abs(now - this.#running.since) > GIVE_UP_MS) {
      const promise = read().finally(() => {
        if (this.#running?.promise === promise) this.#running = null
      })
      this.#running = { since: now, promise }
      // Others wait for it, so it must go on when this request's client leaves.
      context.waitUntil(promise)
    }
    return this.#running.promise
  }
}
