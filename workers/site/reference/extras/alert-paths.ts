import { createBody, deliveriesQuery, editBody } from '../../management/alert-bodies.ts'
import { ALERT_LIMIT } from '../../../../shared/alerts/alert.ts'
import { emptyBody, versionBody } from '../../management/webhook-bodies.ts'
import { privateJson, privateRefusal, ref } from '../answers.ts'
import {
  AUTHORIZATION,
  deliveryParameters,
  managed,
  type Described,
  URL_WORDS,
  VERSION,
} from '../managed.ts'
import type { Operation, Parameter, PathItem } from '../openapi.ts'
import { toBody } from '../to-schemas.ts'
import { alert, delivery, operationId, secret, triggered, url } from './alert-examples.ts'
import {
  ALERT_NOT_FOUND,
  IN_PREPARATION,
  PAGE_NOT_FOUND,
  SEND_IN_FLIGHT,
  NO_PARAMETERS,
  WRONG_QUERY,
} from '../../../../shared/sentences.ts'
import { DELIVERY_PAGE_MAX } from '../../management/deliveries-query.ts'

export const TAG = 'Alertas'

const { currency, origin, condition, threshold, hysteresis, repeat } = triggered

const id: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'El `id` de la alerta, un UUID en minúsculas.',
  schema: { type: 'string', format: 'uuid' },
  example: alert.id,
}

const notFound = privateRefusal('No existe o es de otra cuenta.', ALERT_NOT_FOUND)
const CHANGED = 'La alerta cambió: su versión ya no es la indicada'

const fields = {
  currency: 'Moneda del par.',
  origin: 'Origen del par; tiene que existir en el catálogo.',
  side: 'Qué valor mira: la compra o la venta.',
  condition: 'Cuándo dispara.',
  threshold:
    'Mayor que 0. En `above` y `below` un precio, con los decimales del par; en `change` y `gap` un por ciento, con hasta 2 decimales.',
  hysteresis: 'En la misma unidad, de 0 a menos que el umbral.',
  against: 'El otro par de `gap`: otro precio de la misma moneda. En las otras condiciones no va.',
  repeat: 'Si vuelve a armarse después de disparar.',
  channel:
    '`webhook`: un POST firmado a `url`. `email`: al correo de la cuenta, uno por hora como mucho, y diez por hora entre todas las alertas y sus pruebas.',
  url: `${URL_WORDS} Solo por webhook.`,
  enabled: 'Si avisa.',
}

/** The management of alerts and their deliveries. */
export const alertPaths: Record<string, PathItem> = {
  '/api/v2/alerts': {
    get: operation('listAlerts', 'Listar alertas', {
      description:
        'Las de la cuenta, con el valor que mira cada una y si su condición se cumple ahora. Un parámetro es 400.',
      refusesQuery: NO_PARAMETERS,
      ok: privateJson('Las alertas y el límite.', ref('AlertList'), {
        alerts: [alert],
        limit: ALERT_LIMIT,
      }),
    }),
    post: operation('createAlert', 'Crear una alerta', {
      description: `Avisa una vez cuando el valor cruza el umbral, o cada vez con \`repeat\`. Si la condición ya se cumple al crearla, lo dice (\`phase: "waiting"\`) y espera a que deje de cumplirse. Repetir \`operationId\` devuelve la primera, sin secreto. Como máximo ${ALERT_LIMIT} por cuenta.`,
      body: toBody(createBody, {
        ...fields,
        operationId: 'UUID nuevo por cada creación.',
        receiverAuthorization: AUTHORIZATION,
      }),
      example: { operationId, currency, origin, condition, threshold, hysteresis, repeat, url },
      created: privateJson(
        'Creada. El secreto no se vuelve a mostrar; por correo no hay.',
        ref('AlertIssued'),
        {
          alert,
          ...secret,
          reconciled: false,
        },
      ),
      ok: privateJson('Ya existía con ese `operationId`.', ref('AlertReconciled'), {
        alert,
        reconciled: true,
      }),
      conflict: `La cuenta llegó al límite de ${ALERT_LIMIT} alertas`,
    }),
  },
  '/api/v2/alerts/deliveries': {
    get: operation('listAlertDeliveries', 'Listar entregas de alertas', {
      description: `De la más nueva a la más vieja, hasta ${DELIVERY_PAGE_MAX} por página, como las de webhooks. Los correos no son entregas. Otros parámetros son 400.`,
      parameters: deliveryParameters(deliveriesQuery, { alertId: 'Solo las de esta alerta.' }),
      refusesQuery: WRONG_QUERY,
      ok: privateJson('Una página.', ref('AlertDeliveryPage'), {
        deliveries: [delivery],
        nextCursor: 'v1:42',
      }),
      notFound: privateRefusal('El cursor es ajeno o ya no existe.', PAGE_NOT_FOUND),
    }),
  },
  '/api/v2/alerts/{id}': {
    get: operation('readAlert', 'Leer una alerta', {
      description:
        'Con su URL completa; nunca con el secreto ni la credencial del receptor. Un parámetro es 400.',
      parameters: [id],
      refusesQuery: NO_PARAMETERS,
      ok: privateJson('La alerta.', ref('AlertRead'), { alert: { ...alert, url } }),
      notFound,
    }),
    patch: operation('editAlert', 'Editar, pausar o activar', {
      description:
        'Cambia lo que el cuerpo nombra y cancela los envíos que esperaban. Otra condición, otro umbral o una activación la arman de nuevo, o la dejan esperando si ya se cumple; `enabled: true` también arma una que terminó. Una condición de otra unidad pide un `threshold` nuevo. La que pasa de correo a webhook tiene un secreto que no se mostró: pedile uno a `rotate-secret`.',
      parameters: [id],
      body: toBody(editBody, {
        ...fields,
        version: VERSION,
        receiverAuthorization: `${AUTHORIZATION} \`null\` la quita.`,
      }),
      example: { version: 1, threshold: 1550 },
      ok: privateJson('La alerta editada.', ref('AlertEdited'), {
        alert: { ...alert, threshold: 1550, version: 2 },
        reconciled: false,
      }),
      notFound,
      conflict: CHANGED,
    }),
    delete: operation('deleteAlert', 'Borrar una alerta', {
      description: 'Borra su configuración, sus secretos y sus entregas.',
      parameters: [id],
      body: toBody(versionBody, { version: VERSION }),
      example: { version: 1 },
      ok: privateJson('Borrada.', ref('AlertDeleted'), { deleted: true }),
      notFound,
      conflict: CHANGED,
    }),
  },
  '/api/v2/alerts/{id}/rotate-secret': {
    post: operation('rotateAlertSecret', 'Rotar el secreto', {
      description: 'El secreto nuevo firma desde el próximo intento. Con un envío en curso, 409.',
      parameters: [id],
      body: toBody(versionBody, { version: VERSION }),
      example: { version: 1 },
      ok: privateJson('El secreto nuevo, esta única vez.', ref('AlertRotated'), {
        alert: { ...alert, version: 2 },
        ...secret,
        reconciled: false,
      }),
      notFound,
      conflict: SEND_IN_FLIGHT,
    }),
  },
  '/api/v2/alerts/{id}/test': {
    post: operation('testAlert', 'Enviar una prueba', {
      description:
        'Pone en cola un `alert.test` con los valores vigentes, también si está pausada. Por correo sale enseguida, o con el próximo si la cuenta ya tuvo sus diez de la hora.',
      parameters: [id],
      body: toBody(emptyBody, {}),
      bodyOptional: true,
      example: {},
      accepted: privateJson('En cola.', ref('AlertTestQueued'), {
        id: 42,
        deliveryId: delivery.deliveryId,
        status: 'pending',
      }),
      notFound,
      conflict: 'quote_unavailable',
    }),
  },
}

function operation(
  operationId: string,
  summary: string,
  described: Omit<Described, 'tag' | 'closed'>,
): Operation {
  return managed(operationId, summary, {
    tag: TAG,
    closed: IN_PREPARATION,
    ...described,
  })
}
