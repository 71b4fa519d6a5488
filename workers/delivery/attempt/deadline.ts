/** The error of work whose time is over, and the reason of its signal. */
export class DeadlinePassed extends Error {}

/**
 * Runs work under a deadline, which also ends work that ignores its signal. The timer is cleared at
 * once when the work ends: `AbortSignal.timeout` would keep the invocation alive until it fires.
 */
export async function withDeadline<Value>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const reason = new DeadlinePassed('deadline passed')
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
