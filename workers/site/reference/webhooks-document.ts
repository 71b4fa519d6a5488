import { WEBHOOK_LIMIT } from '../../../shared/webhooks/webhook.ts'
import { withMethodRefusals } from './responses.ts'
import { thousands } from '../../../shared/api/answers.ts'
import type { Terms } from '../../../shared/api/operation.ts'
import { ERRORS, keyLimits } from './limits.ts'
import { type Document, LICENSE } from './openapi.ts'
import { errorObject } from '../../../shared/api/fields.ts'
import * as schemas from './schemas/webhooks.ts'
import { securitySchemes, withKey } from './security.ts'
import { toComponents } from './to-schemas.ts'
import { webhookEvents } from './webhook-events.ts'
import { webhookPaths } from './webhook-paths.ts'
import { MAX_BODY_BYTES } from '../../../shared/body-limit.ts'

/** Webhooks, their deliveries, and what receivers get. */
export function webhooksDocument(terms: Terms): Document {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cotizaciones: webhooks',
      version: '2.4.0',
      license: LICENSE,
      summary: 'Un POST firmado a tu servidor cada vez que un par cambia.',
      description: [
        `Todas las rutas necesitan una clave, y ninguna respuesta se guarda. Hasta ${WEBHOOK_LIMIT} webhooks por cuenta, contando los pausados; cada uno sigue un par. Diez intentos automáticos fallidos seguidos lo pausan; uno entregado vuelve la cuenta a cero, y ni las sincronizaciones, ni las pruebas, ni las interrupciones nuestras cuentan.`,
        `**Límites.** ${keyLimits(terms)} Un cuerpo puede tener hasta ${thousands(MAX_BODY_BYTES)} bytes.`,
        `**Errores.** ${ERRORS}`,
        'Cómo verificar una firma: [/docs/webhooks](/docs/webhooks).',
      ].join('\n\n'),
    },
    servers: [{ url: terms.origin, description: 'Este servicio' }],
    tags: [
      { name: 'Webhooks', description: 'Crear, leer, editar, borrar, rotar y probar.' },
      { name: 'Entregas', description: 'Qué se envió y cómo fue.' },
      { name: 'Eventos', description: 'Lo que recibe tu servidor.' },
    ],
    security: withKey,
    paths: withMethodRefusals(webhookPaths),
    webhooks: webhookEvents(terms),
    components: {
      schemas: toComponents({
        Webhook: schemas.webhook,
        OwnWebhook: schemas.ownWebhook,
        WebhookList: schemas.webhookList,
        WebhookRead: schemas.webhookRead,
        WebhookIssued: schemas.webhookIssued,
        WebhookReconciled: schemas.webhookReconciled,
        WebhookEdited: schemas.webhookEdited,
        WebhookDeleted: schemas.webhookDeleted,
        TestQueued: schemas.testQueued,
        Delivery: schemas.delivery,
        DeliveryPage: schemas.deliveryPage,
        WebhookEvent: schemas.webhookEvent,
        Error: errorObject,
      }),
      securitySchemes,
    },
  }
}
