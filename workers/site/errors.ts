import { ConfigError } from '../../shared/config.ts'
import { HttpError } from '../../shared/http-error.ts'
import { logFailure } from '../../shared/log.ts'

export { HttpError } from '../../shared/http-error.ts'

export const badRequest = (message: string) => new HttpError(400, message)
export const unauthorized = () =>
  new HttpError(401, 'No autorizado', { headers: { 'WWW-Authenticate': 'Bearer' } })
export const notFound = () => new HttpError(404, 'Recurso no encontrado')
export const keyNotFound = () => new HttpError(404, 'Esa clave ya no existe')
export const webhookNotFound = () => new HttpError(404, 'Ese webhook ya no existe')
export const boardMissing = () =>
  new HttpError(503, 'No pudimos leer las cotizaciones, probá de nuevo en un minuto', {
    retryAfter: 30,
  })
export const databaseOutOfReach = () =>
  new HttpError(503, 'No pudimos leer ni guardar los datos, probá de nuevo en unos segundos', {
    retryAfter: 10,
  })
export const tooLarge = () => new HttpError(413, 'El cuerpo supera los 16 KiB')

/** What is answered for an error that is none of ours; a wrong configuration can be mended. */
export function unforeseen(error: Error): HttpError {
  return error instanceof ConfigError
    ? new HttpError(503, 'El servicio no está bien configurado en este momento', {
        retryAfter: 300,
      })
    : new HttpError(500, 'Error interno')
}

/** What we did not foresee. */
export function logUnexpected(error: Error): void {
  logFailure('unexpected_error', error)
}
