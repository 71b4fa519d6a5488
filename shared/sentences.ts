/**
 * Sentences of responses that several modules need: the Workers that respond, and the reference
 * that documents the responses.
 */
import { MAX_HISTORY_POINTS } from './limits.ts'

export const QUOTE_NOT_FOUND = 'Cotización no encontrada'
export const RESOURCE_NOT_FOUND = 'Recurso no encontrado'
export const METHOD_NOT_ALLOWED = 'Método no permitido'
export const BODY_NOT_WHOLE = 'El cuerpo no llegó entero'
export const SAME_CURRENCY = 'from y to deben ser dos monedas distintas'
export const DATE_FORM = 'La fecha debe existir y tener la forma AAAA-MM-DD'
export const TIME_FORM = 'La hora debe tener la forma HH:MM o HH:MM:SS'
export const DATE_AHEAD = 'La fecha no puede ser posterior a hoy'
export const NO_PARAMETERS = 'Esta dirección no acepta parámetros'
export const FILES_UNPUBLISHED = 'Los archivos todavía no están publicados'
export const RANGE_OUTSIDE = 'El rango está fuera del archivo'
export const TOO_MANY_DAYS = 'Demasiadas consultas de días: esperá un minuto'
export const HISTORY_UNPUBLISHED = 'El historial todavía no está publicado'
export const FORMAT_NAMES = 'El parámetro format debe ser csv, json o value'
export const SERVICE_UNAVAILABLE = 'Servicio no disponible, probá de nuevo en unos segundos'
export const CURRENCY_NOT_INVOICED = 'La tabla del Banco Nación no tiene esa moneda'
export const INVOICING_UNAVAILABLE =
  'Las cotizaciones de facturación no están disponibles en este momento'
export const CLOSE_UNKNOWN = 'El cierre de hoy todavía no se conoce'
export const DATES_ALONE = 'dates no se combina con from, to ni every'
export const SERIES_UNAVAILABLE = 'Las series no están disponibles en este momento'
export const PAIRS_FORM = 'El parámetro pairs debe tener la forma usd/blue,usd/bolsa'
export const KEY_UNVERIFIED = 'No es posible verificar la clave en este momento'
export const TOO_MANY_DATES = 'Demasiadas consultas por fecha: esperá unos segundos'
export const MINUTE_QUOTA_SPENT = 'Se agotó la cuota por minuto de la clave'
export const DAILY_BUDGET_SPENT = 'Se agotó la capacidad diaria del servicio'
export const QUOTES_UNAVAILABLE = 'Las cotizaciones no están disponibles en este momento'
export const HISTORY_LIMIT = `limit debe ser un número entero de 1 a ${MAX_HISTORY_POINTS}`
export const TOO_MANY_STREAMS_OF_CLIENT = 'Hay demasiadas conexiones abiertas desde tu dirección'
export const TOO_MANY_STREAMS = 'No hay lugar para más conexiones en este momento'
export const WRONG_QUERY = 'Los parámetros de la consulta no son válidos'
export const PAGE_NOT_FOUND = 'Página no encontrada'
export const NOT_JSON = 'El cuerpo debe ser JSON: falta Content-Type: application/json'
export const UNKNOWN_FIELDS = 'Hay campos desconocidos'

export const NOT_READY = 'El servicio no tiene valores al día'
