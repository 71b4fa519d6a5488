import { logFailure } from './log.ts'

/** The result. A failure is logged as `event`, and `instead` makes the error to throw. */
export async function orThrow<Value>(
  result: Promise<Value>,
  event: string,
  instead: () => Error,
): Promise<Value> {
  try {
    return await result
  } catch (error) {
    logFailure(event, error)
    throw instead()
  }
}
