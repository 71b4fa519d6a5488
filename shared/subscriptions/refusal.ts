import { ALERT_LIMIT } from '../alerts/alert.ts'
import { badRequest, HttpError, unavailable } from '../http-error.ts'
import type { RefusedInput } from '../result.ts'
import { type SubscriptionKind, WEBHOOK_LIMIT } from '../webhooks/webhook.ts'

/** Why a subscription was not created or changed. No action has all of these reasons. */
export type SubscriptionRefusal =
  | 'not_found'
  | 'version_changed'
  | 'limit_reached'
  /** The operation id belongs to the other kind. */
  | 'operation_taken'
  | 'unknown_pair'
  /** The service cannot send e-mails. */
  | 'mail_unavailable'
  | 'url_missing'
  | 'url_unwanted'
  | 'send_in_flight'
  | 'delivery_not_found'
  | 'delivery_open'
  /** The subscription accepts no redeliveries: it is paused, or it is an alert by e-mail. */
  | 'paused'
  | 'by_email'
  | 'quote_unavailable'
  | 'capacity_exhausted'
  | 'admission_closed'
  | RefusedInput

/** `Retry-After` in seconds: admission is closed, no capacity is left, the URL cannot be read. */
const RETRY_CLOSED = 3600
const RETRY_CAPACITY = 60
const RETRY_SEALED = 60

/** A kind's names in paths and operation ids, its limit, and its Spanish words and endings. */
export const WORDS = {
  webhook: {
    plural: 'webhooks',
    Name: 'Webhook',
    /** Part of some ids; empty for webhooks. */
    infix: '',
    noun: 'webhook',
    many: 'webhooks',
    one: 'un webhook',
    The: 'El webhook',
    of: 'del webhook',
    this: 'este webhook',
    end: 'o',
    notFound: 'Webhook no encontrado',
    limit: WEBHOOK_LIMIT,
  },
  alert: {
    plural: 'alerts',
    Name: 'Alert',
    infix: 'Alert',
    noun: 'alerta',
    many: 'alertas',
    one: 'una alerta',
    The: 'La alerta',
    of: 'de la alerta',
    this: 'esta alerta',
    end: 'a',
    notFound: 'Alerta no encontrada',
    limit: ALERT_LIMIT,
  },
} as const satisfies Record<SubscriptionKind, object>

type Named = Exclude<SubscriptionRefusal, RefusedInput>

const errors = {
  not_found: ({ notFound }) => new HttpError(404, notFound),
  version_changed: ({ The }) =>
    new HttpError(409, `${The} cambió: su versión ya no es la indicada`),
  limit_reached: ({ limit, many }) =>
    new HttpError(409, `La cuenta llegó al límite de ${limit} ${many}`),
  send_in_flight: () => new HttpError(409, 'Hay un envío en curso: hay que esperar a que termine'),
  delivery_not_found: () => new HttpError(404, 'Entrega no encontrada'),
  delivery_open: () =>
    new HttpError(409, 'La entrega está en curso: hay que esperar a que termine'),
  paused: ({ The, end }) =>
    new HttpError(409, `${The} está pausad${end}: hay que activar antes de reenviar`),
  by_email: () => new HttpError(409, 'La alerta avisa por correo: no hace envíos'),
  quote_unavailable: () => new HttpError(409, 'quote_unavailable'),
  operation_taken: () => badRequest('El campo operationId ya se usó para otra cosa'),
  unknown_pair: () => badRequest('El par de moneda y origen no existe'),
  url_missing: () => badRequest('El campo url falta: una alerta por webhook lo necesita'),
  url_unwanted: () =>
    badRequest('Una alerta por correo no lleva url ni receiverAuthorization: va a tu correo'),
  mail_unavailable: () =>
    unavailable('Este servicio no manda correos: una alerta va por webhook', RETRY_CLOSED),
  capacity_exhausted: () => unavailable('La capacidad de envíos está agotada', RETRY_CAPACITY),
  admission_closed: () => unavailable('La función de webhooks está en preparación', RETRY_CLOSED),
} as const satisfies Record<Named, (words: (typeof WORDS)[SubscriptionKind]) => HttpError>

/** The HTTP error of a refusal. A refusal without a status does not compile. */
export function refusalError(kind: SubscriptionKind, refusal: SubscriptionRefusal): HttpError {
  return typeof refusal === 'string' ? errors[refusal](WORDS[kind]) : badRequest(refusal.reason)
}

/** The sentence of a refusal, for the OpenAPI documents. */
export const refusalText = (kind: SubscriptionKind, refusal: keyof typeof errors) =>
  errors[refusal](WORDS[kind]).message

/** The error of a read when no key of `KEY_ENCRYPTION_KEYS` decrypts the URL. */
export function urlLost(kind: SubscriptionKind): HttpError {
  return unavailable(`La URL ${WORDS[kind].of} no se puede leer ahora`, RETRY_SEALED)
}
