import { SECOND_MS } from './argentine-time.ts'

/** The error of work that passed its deadline, and the reason of its abort signal. */
export class DeadlinePassed extends Error {}

/**
 * Runs work under a deadline. At the deadline the caller continues, even if the work ignores its
 * signal. The timer is cleared when the work ends: `AbortSignal.timeout` would keep the invocation
 * alive.
 */
export async function withDeadline<Value>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const reason = new DeadlinePassed(`timed out after ${ms / SECOND_MS} s`)
    // Before the signal: the runtime would reject with a copy of the reason that has another class.
    reject(reason)
    controller.abort(reason)
  }, ms)
  try {
    return await Promise.race([work(controller.signal), passed])
  } finally {
    clearTimeout(timer)
  }
}
