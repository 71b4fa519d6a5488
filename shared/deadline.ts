import { SECOND_MS } from './argentine-time.ts'

/** The error of work whose time is over, and the reason of its signal. */
export class DeadlinePassed extends Error {}

/**
 * Runs work under a deadline. The caller goes on then, even if the work ignores its signal. The timer is
 * cleared when the work ends: `AbortSignal.timeout` would keep the invocation alive until it fires.
 */
export async function withDeadline<Value>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const reason = new DeadlinePassed(`timed out after ${ms / SECOND_MS} s`)
    // Before the signal, of which the runtime rejects with a copy that is of no class of ours.
    reject(reason)
    controller.abort(reason)
  }, ms)
  try {
    return await Promise.race([work(controller.signal), passed])
  } finally {
    clearTimeout(timer)
  }
}
