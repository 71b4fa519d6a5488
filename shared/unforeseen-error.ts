import { ConfigError } from './config/config.ts'
import { HttpError, unavailable } from './http-error.ts'
import { logFailure } from './log.ts'

const RETRY_CONFIG_SECONDS = 300

interface Failure {
  /** Whether the database failed in this request: nobody's mistake, and it passes. */
  databaseFailed: boolean
  /** The answer then. */
  outOfReach: () => HttpError
}

/**
 * Logs an error that nobody foresaw, and makes the answer to it, which says nothing of it. `failure`
 * is for those who watch the database.
 */
export function unforeseenError(error: Error, failure?: Failure): HttpError {
  const databaseFailed = failure?.databaseFailed === true
  logFailure(databaseFailed ? 'database_failed' : 'unexpected_error', error)
  if (databaseFailed) return failure.outOfReach()
  // The operator mends it: the log says which value.
  if (error instanceof ConfigError)
    return unavailable('El servicio no está bien configurado en este momento', RETRY_CONFIG_SECONDS)
  return new HttpError(500, 'Error interno')
}
