import { SECOND_MS } from './argentine-time.ts'

/** The error of work that passed its deadline, and the reason of its abort signal. */
export class DeadlinePassed extends Error {}

/**
 * Runs work with a deadline. At the deadline the caller continues, even if the work ignores its
 * signal. Does not use `AbortSignal.timeout`, whose timer would keep the invocation alive after the
 * work has ended.
 */
export async function withDeadline<Value>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const reason = new DeadlinePassed(`timed out after ${ms / SECOND_MS} s`)
    // Before the abort, because the runtime would reject with a copy of `reason` of another class.
    reject(reason)
    controller.abort(reason)
  }, ms)
  try {
    return await Promise.race([work(controller.signal), passed])
  } finally {
    clearTimeout(timer)
  }
}
