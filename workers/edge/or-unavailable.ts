import { orThrow } from '../../shared/or-throw.ts'
import { DATABASE_RETRY_SECONDS, unavailable } from './errors.ts'

/** The answer of the database, or a 503 with this text when it fails or is overloaded. */
export function orUnavailable<Value>(answer: Promise<Value>, text: string): Promise<Value> {
  return orThrow(answer, 'database_failed', () => unavailable(text, DATABASE_RETRY_SECONDS))
}
