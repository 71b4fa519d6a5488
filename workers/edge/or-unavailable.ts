import { logFailure } from '../../shared/log-failure.ts'
import { unavailable } from './errors.ts'

/** How long a client should wait when the database does not answer, in seconds. */
const RETRY_SECONDS = 10

/**
 * The answer of the database, or a 503 with this text when it fails or is overloaded.
 */
export async function orUnavailable<Answer>(
  answer: Promise<Answer>,
  text: string,
): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    logFailure('database_failed', error)
    throw unavailable(text, RETRY_SECONDS)
  }
}
