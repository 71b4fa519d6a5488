import type { CreateRefusal } from '../../../shared/db/webhooks/create.ts'
import type { EditRefusal } from '../../../shared/db/webhooks/edit.ts'
import type { RefusedDestination } from '../../../shared/db/webhooks/context.ts'
import type { RotateRefusal } from '../../../shared/db/webhooks/rotate.ts'
import type { TestRefusal } from '../../../shared/db/webhooks/test-delivery.ts'
import { badRequest, HttpError, unavailable } from '../../../shared/http-error.ts'

type Refusal = CreateRefusal | EditRefusal | RotateRefusal | TestRefusal
type Named = Exclude<Refusal, RefusedDestination>

/** In seconds. The feature opens with a rollout, capacity returns with the next sweeps. */
const RETRY_CLOSED = 3600
const RETRY_CAPACITY = 60

const errors = {
  not_found: () => new HttpError(404, 'Webhook no encontrado'),
  version_changed: () => new HttpError(409, 'El webhook cambió: su versión ya no es la indicada'),
  limit_reached: () => new HttpError(409, 'La cuenta llegó al límite de 5 webhooks'),
  send_in_flight: () => new HttpError(409, 'Hay un envío en curso: hay que esperar a que termine'),
  quote_unavailable: () => new HttpError(409, 'quote_unavailable'),
  operation_taken: () => badRequest('El campo operationId ya se usó para otra cosa'),
  unknown_pair: () => badRequest('El par de moneda y origen no existe'),
  capacity_exhausted: () => unavailable('La capacidad de envíos está agotada', RETRY_CAPACITY),
  admission_closed: () => unavailable('La función de webhooks está en preparación', RETRY_CLOSED),
} as const satisfies Record<Named, () => HttpError>

/** The HTTP form of a refusal: one without a status does not compile. */
export function refusalError(refusal: Refusal): HttpError {
  return typeof refusal === 'string' ? errors[refusal]() : badRequest(refusal.refusedDestination)
}
