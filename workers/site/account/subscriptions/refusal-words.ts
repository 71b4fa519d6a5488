import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ALERT_LIMIT } from '../../../../shared/alerts/alert.ts'
import type { SubscriptionRefusal } from '../../../../shared/subscriptions/refusal.ts'
import { MAIL_UNAVAILABLE } from '../../../../shared/sentences.ts'
import type { RefusedInput } from '../../../../shared/result.ts'
import { type SubscriptionKind, WEBHOOK_LIMIT } from '../../../../shared/webhooks/webhook.ts'

/** A refusal as a page says it: one sentence without its final stop. */
export interface RefusalWords {
  status: ContentfulStatusCode
  text: string
  /** Seconds after which trying again may help. */
  retryAfter?: number
}

type Named = Exclude<SubscriptionRefusal, RefusedInput | 'not_found'>

const SENTENCES = {
  webhook: {
    version_changed: 'El webhook cambió mientras tanto y no hicimos nada',
    limit_reached: `Llegaste al límite de ${WEBHOOK_LIMIT} webhooks: para crear otro tiene que haber menos de ${WEBHOOK_LIMIT}, y para activar uno, menos de ${WEBHOOK_LIMIT} encendidos`,
    quote_unavailable: 'Todavía no tenemos una cotización de ese par',
    unknown_pair: 'Elegí un par de la lista',
    admission_closed:
      'Los webhooks están en preparación: por ahora no se pueden crear, activar ni probar',
  },
  alert: {
    version_changed: 'La alerta cambió mientras tanto y no hicimos nada',
    limit_reached: `Llegaste al límite de ${ALERT_LIMIT} alertas: para crear otra, borrá alguna`,
    quote_unavailable: 'Todavía no tenemos esa cotización',
    unknown_pair: 'Elegí una cotización de la lista',
    admission_closed:
      'Las alertas están en preparación: por ahora no se pueden crear, activar ni probar',
  },
} as const satisfies Record<SubscriptionKind, Partial<Record<Named, string>>>

const WORDS = {
  version_changed: ({ version_changed: text }) => ({
    status: 409,
    text: `${text}; mirá cómo está ahora y volvé a intentar`,
  }),
  limit_reached: ({ limit_reached: text }) => ({ status: 409, text }),
  send_in_flight: () => ({
    status: 409,
    text: 'Hay un envío en curso con el secreto actual; esperá unos segundos y volvé a intentar',
  }),
  delivery_not_found: () => ({ status: 404, text: 'Esa entrega ya no está' }),
  delivery_open: () => ({ status: 409, text: 'Esa entrega ya está en curso' }),
  paused: () => ({ status: 409, text: 'Está en pausa: para reenviar hay que activar antes' }),
  by_email: () => ({ status: 409, text: 'Avisa por correo: no hace entregas que reenviar' }),
  quote_unavailable: ({ quote_unavailable: text }) => ({
    status: 409,
    text: `${text}, así que no hay qué mandar en la prueba`,
  }),
  operation_taken: () => ({
    status: 400,
    text: 'Ese formulario ya se usó para otra cosa; volvé a abrir la página',
  }),
  unknown_pair: ({ unknown_pair: text }) => ({ status: 400, text }),
  url_missing: () => ({ status: 400, text: 'Para avisarte por webhook falta la URL' }),
  url_unwanted: () => ({ status: 400, text: 'Por correo no hace falta URL ni credencial' }),
  mail_unavailable: () => ({ status: 503, text: MAIL_UNAVAILABLE }),
  capacity_exhausted: () => ({
    status: 503,
    text: 'Por ahora no hay lugar para más envíos; probá de nuevo en un minuto',
    retryAfter: 60,
  }),
  admission_closed: ({ admission_closed: text }) => ({ status: 503, text, retryAfter: 3600 }),
} as const satisfies Record<Named, (own: (typeof SENTENCES)[SubscriptionKind]) => RefusalWords>

/** A refusal without words does not compile. What is absent has its own page. */
export function refusalWords(
  kind: SubscriptionKind,
  refusal: Exclude<SubscriptionRefusal, 'not_found'>,
): RefusalWords {
  return typeof refusal === 'string'
    ? WORDS[refusal](SENTENCES[kind])
    : { status: 400, text: refusal.reason }
}
