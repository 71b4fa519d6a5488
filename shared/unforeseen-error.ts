import { ConfigError } from './config/config.ts'
import { HttpError, unavailable } from './http-error.ts'
import { logFailure } from './log.ts'

const RETRY_CONFIG_SECONDS = 300

interface Failure {
  /** Whether the database failed in this request, which is temporary. */
  databaseFailed: boolean
  /** The error then. */
  outOfReach: () => HttpError
}

/**
 * Logs an unforeseen error and makes the response, which reveals nothing of it. `failure` is for
 * apps that track the failures of the database.
 */
export function unforeseenError(error: Error, failure?: Failure): HttpError {
  const databaseFailed = failure?.databaseFailed === true
  logFailure(databaseFailed ? 'database_failed' : 'unexpected_error', error)
  if (databaseFailed) return failure.outOfReach()
  // The operator has to correct it: the log names the value.
  if (error instanceof ConfigError)
    return unavailable('El servicio no está bien configurado en este momento', RETRY_CONFIG_SECONDS)
  return new HttpError(500, 'Error interno')
}
