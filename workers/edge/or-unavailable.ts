import { unavailable } from './errors.ts'

/** How long a client should wait when the database does not answer, in seconds. */
const RETRY_SECONDS = 10

/**
 * The answer of the database, or a 503 with this text when it fails or is overloaded. For raw D1
 * statements only: the messages of drizzle's errors hold parameters, and this logs the message.
 */
export async function orUnavailable<Answer>(
  answer: Promise<Answer>,
  text: string,
): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    console.error(JSON.stringify({ event: 'database_failed', message: (error as Error).message }))
    throw unavailable(text, RETRY_SECONDS)
  }
}
