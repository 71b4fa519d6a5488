import { logFailure } from './log.ts'

/** The answer; where it fails, the failure is logged as `event` and this error thrown instead. */
export async function orThrow<Value>(
  answer: Promise<Value>,
  event: string,
  instead: () => Error,
): Promise<Value> {
  try {
    return await answer
  } catch (error) {
    logFailure(event, error)
    throw instead()
  }
}
