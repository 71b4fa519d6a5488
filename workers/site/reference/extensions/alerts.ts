import type { Terms } from '../../../../shared/api/operation.ts'
import { attemptLimits } from '../limits.ts'
import type { PathItem } from '../openapi.ts'
import { deliveryHeaders, eventOf } from '../webhook-events.ts'
import { delivery, triggered } from './alert-examples.ts'
import { alertPaths, TAG } from './alert-paths.ts'
import { alertSchemas } from './alert-schemas.ts'
import type { Extension } from './extension.ts'

export const alertsExtension: Extension = {
  tag: {
    name: TAG,
    description: 'Un aviso cuando un valor cruza un umbral, por webhook o por correo.',
  },
  paths: () => alertPaths,
  events: alertEvents,
  schemas: alertSchemas,
}

/** What receivers of alerts get. */
export function alertEvents(terms: Terms): Record<string, PathItem> {
  const headers = deliveryHeaders('El `id` de la alerta.')
  const event = eventOf({ tag: TAG, schema: 'AlertEvent', headers })
  return {
    'alert.triggered': event(
      'alertTriggered',
      'Una alerta disparó',
      `Con los valores que cumplieron la condición. Hasta ${attemptLimits(terms)}, como un webhook.`,
      triggered,
    ),
    'alert.test': event(
      'alertTest',
      'Una prueba pedida',
      'La pide `POST /api/v2/alerts/{id}/test`, con los valores vigentes.',
      { ...triggered, event: 'alert.test', value: 1430, buy: 1410, sell: 1430, isManual: true },
    ),
    'alert.withdrawn': event(
      'alertWithdrawn',
      'Un aviso se retira',
      'Un valor que disparó la alerta era erróneo y se corrigió: el que mira, el del otro par de `gap`, o el del día anterior desde el que se mide `change`. La alerta queda armada de nuevo.',
      {
        ...triggered,
        event: 'alert.withdrawn',
        timestamp: '2026-03-02T16:00:00.000Z',
        withdraws: delivery.deliveryId,
        corrected: { currency: 'USD', origin: 'BLUE', buy: 1415, sell: 1435 },
      },
    ),
  }
}
