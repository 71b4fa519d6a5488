import { logFailure } from '../../shared/log.ts'
import { DATABASE_RETRY_SECONDS, unavailable } from './errors.ts'

/** The answer of the database, or a 503 with this text when it fails or is overloaded. */
export async function orUnavailable<Answer>(
  answer: Promise<Answer>,
  text: string,
): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    logFailure('database_failed', error)
    throw unavailable(text, DATABASE_RETRY_SECONDS)
  }
}
