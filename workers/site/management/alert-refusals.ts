import { ALERT_LIMIT } from '../../../shared/alerts/alert.ts'
import type { RefusedWatch } from '../../../shared/alerts/watch.ts'
import type { CreateAlertRefusal } from '../../../shared/db/alerts/create.ts'
import type { EditAlertRefusal } from '../../../shared/db/alerts/edit.ts'
import type { RefusedDestination } from '../../../shared/db/webhooks/context.ts'
import type { RotateRefusal } from '../../../shared/db/webhooks/rotate.ts'
import type { TestRefusal } from '../../../shared/db/webhooks/test-delivery.ts'
import { badRequest, HttpError } from '../../../shared/http-error.ts'
import { refusalError } from './webhook-refusals.ts'

type Refusal = CreateAlertRefusal | EditAlertRefusal | RotateRefusal | TestRefusal

const errors = {
  not_found: () => new HttpError(404, 'Alerta no encontrada'),
  version_changed: () => new HttpError(409, 'La alerta cambió: su versión ya no es la indicada'),
  limit_reached: () => new HttpError(409, `La cuenta llegó al límite de ${ALERT_LIMIT} alertas`),
  url_missing: () => badRequest('El campo url falta: una alerta por webhook lo necesita'),
  url_unwanted: () =>
    badRequest('Una alerta por correo no lleva url ni receiverAuthorization: va a tu correo'),
}

/** The HTTP form of a refusal: one without a status does not compile. */
export function alertRefusal(refusal: Refusal): HttpError {
  if (typeof refusal !== 'string') return badRequest(reasonOf(refusal))
  return isOwn(refusal) ? errors[refusal]() : refusalError(refusal)
}

function isOwn(refusal: string): refusal is keyof typeof errors {
  return Object.hasOwn(errors, refusal)
}

function reasonOf(refusal: RefusedWatch | RefusedDestination): string {
  return 'refusedWatch' in refusal ? refusal.refusedWatch : refusal.refusedDestination
}
