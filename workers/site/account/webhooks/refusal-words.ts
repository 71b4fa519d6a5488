import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { CreateRefusal } from '../../../../shared/db/webhooks/create.ts'
import type { EditRefusal } from '../../../../shared/db/webhooks/edit.ts'
import type { RefusedDestination } from '../../../../shared/db/webhooks/context.ts'
import type { RotateRefusal } from '../../../../shared/db/webhooks/rotate.ts'
import type { TestRefusal } from '../../../../shared/db/webhooks/test-delivery.ts'

export type WebhookRefusal = CreateRefusal | EditRefusal | RotateRefusal | TestRefusal
type Named = Exclude<WebhookRefusal, RefusedDestination | 'not_found'>

/** A refusal as a page says it: one sentence without its final stop. */
export interface RefusalWords {
  status: ContentfulStatusCode
  text: string
  /** Whole seconds after which trying again may help. */
  retryAfter?: number
}

const WORDS = {
  version_changed: {
    status: 409,
    text: 'El webhook cambió mientras tanto y no hicimos nada; mirá cómo está ahora y volvé a intentar',
  },
  limit_reached: {
    status: 409,
    text: 'Llegaste al límite de 5 webhooks: para crear otro tiene que haber menos de 5, y para activar uno, menos de 5 encendidos',
  },
  send_in_flight: {
    status: 409,
    text: 'Hay un envío en curso con el secreto actual; esperá unos segundos y volvé a intentar',
  },
  quote_unavailable: {
    status: 409,
    text: 'Todavía no tenemos una cotización de ese par, así que no hay qué mandar en la prueba',
  },
  operation_taken: {
    status: 400,
    text: 'Ese formulario ya se usó para otra cosa; volvé a abrir la página',
  },
  unknown_pair: { status: 400, text: 'Elegí un par de la lista' },
  capacity_exhausted: {
    status: 503,
    text: 'Por ahora no hay lugar para más envíos; probá de nuevo en un minuto',
    retryAfter: 60,
  },
  admission_closed: {
    status: 503,
    text: 'Los webhooks están en preparación: por ahora no se pueden crear, activar ni probar',
    retryAfter: 3600,
  },
} as const satisfies Record<Named, RefusalWords>

/** A refusal without words does not compile. A missing webhook has its own page. */
export function refusalWords(refusal: Exclude<WebhookRefusal, 'not_found'>): RefusalWords {
  return typeof refusal === 'string'
    ? WORDS[refusal]
    : { status: 400, text: refusal.refusedDestination }
}
