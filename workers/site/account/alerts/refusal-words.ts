import { ALERT_LIMIT } from '../../../../shared/alerts/alert.ts'
import type { CreateAlertRefusal } from '../../../../shared/db/alerts/create.ts'
import type { EditAlertRefusal } from '../../../../shared/db/alerts/edit.ts'
import type { RotateRefusal } from '../../../../shared/db/webhooks/rotate.ts'
import type { TestRefusal } from '../../../../shared/db/webhooks/test-delivery.ts'
import { alertNotFound } from '../../errors.ts'
import type { RefusalWords } from '../webhooks/refusal-words.ts'

export type AlertRefusal = CreateAlertRefusal | EditAlertRefusal | RotateRefusal | TestRefusal

type Named = Exclude<Extract<AlertRefusal, string>, 'not_found'>

const WORDS = {
  version_changed: {
    status: 409,
    text: 'La alerta cambió mientras tanto y no hicimos nada; mirá cómo está ahora y volvé a intentar',
  },
  limit_reached: {
    status: 409,
    text: `Llegaste al límite de ${ALERT_LIMIT} alertas: para crear otra, borrá alguna`,
  },
  send_in_flight: {
    status: 409,
    text: 'Hay un envío en curso con el secreto actual; esperá unos segundos y volvé a intentar',
  },
  quote_unavailable: {
    status: 409,
    text: 'Todavía no tenemos esa cotización, así que no hay qué mandar en la prueba',
  },
  operation_taken: {
    status: 400,
    text: 'Ese formulario ya se usó para otra cosa; volvé a abrir la página',
  },
  unknown_pair: { status: 400, text: 'Elegí una cotización de la lista' },
  url_missing: { status: 400, text: 'Para avisarte por webhook falta la URL' },
  url_unwanted: { status: 400, text: 'Por correo no hace falta URL ni credencial' },
  capacity_exhausted: {
    status: 503,
    text: 'Por ahora no hay lugar para más envíos; probá de nuevo en un minuto',
    retryAfter: 60,
  },
  admission_closed: {
    status: 503,
    text: 'Las alertas están en preparación: por ahora no se pueden crear, activar ni probar',
    retryAfter: 3600,
  },
} as const satisfies Record<Named, RefusalWords>

/** The words of a refusal; an alert that is not there is a page of its own. */
export function wordsOf(refusal: AlertRefusal): RefusalWords {
  if (refusal === 'not_found') throw alertNotFound()
  if (typeof refusal === 'string') return WORDS[refusal]

  const text = 'refusedWatch' in refusal ? refusal.refusedWatch : refusal.refusedDestination
  return { status: 400, text }
}
