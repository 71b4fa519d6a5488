import { unavailable } from '../../shared/http-error.ts'

export {
  badRequest,
  HttpError,
  incompleteBody,
  notFound,
  unauthorized,
} from '../../shared/http-error.ts'

export const boardMissing = () =>
  unavailable('No pudimos leer las cotizaciones, probá de nuevo en un minuto', 30)
export const databaseOutOfReach = () =>
  unavailable('No pudimos leer ni guardar los datos, probá de nuevo en unos segundos', 10)
