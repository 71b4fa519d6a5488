/** The reason of an aborted signal: the time is over. */
export class DeadlinePassed extends Error {}

/**
 * Runs work under a deadline. The timer is cleared at once when the work ends:
 * `AbortSignal.timeout` would keep the invocation alive until it fires.
 */
export async function withDeadline<Value>(
  ms: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DeadlinePassed('deadline passed')), ms)
  try {
    return await work(controller.signal)
  } catch (error) {
    // The runtime rejects with a copy of the reason, which is of no class of ours.
    controller.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
