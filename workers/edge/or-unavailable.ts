import { orThrow } from '../../shared/or-throw.ts'
import { DATABASE_RETRY_SECONDS, unavailable } from './errors.ts'

/** The result of the database, or a 503 with this text when it fails. */
export function orUnavailable<Value>(answer: Promise<Value>, text: string): Promise<Value> {
  return orThrow(answer, 'database_failed', () => unavailable(text, DATABASE_RETRY_SECONDS))
}
