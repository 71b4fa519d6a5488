import { ALERT_LIMIT } from '../../../../shared/alerts/alert.ts'
import { ALERT_NOT_FOUND } from '../../../../shared/sentences.ts'
import {
  createBody,
  deliveriesQuery,
  editBody,
} from '../../../../shared/subscriptions/alert-bodies.ts'
import { DELIVERY_PAGE_MAX } from '../../../../shared/subscriptions/deliveries-query.ts'
import { privateRefusal } from '../responses.ts'
import { URL_WORDS } from '../managed.ts'
import { subscriptionPaths } from '../subscription-paths.ts'
import { alert, delivery, operationId, triggered, url } from './alert-examples.ts'

export const TAG = 'Alertas'

const { currency, origin, condition, threshold, hysteresis, repeat } = triggered

/** The management of alerts and their deliveries. */
export const alertPaths = subscriptionPaths({
  kind: 'alert',
  plural: 'alerts',
  limit: ALERT_LIMIT,
  tag: TAG,
  deliveriesTag: TAG,
  Name: 'Alert',
  infix: 'Alert',
  rotated: 'AlertRotated',
  words: {
    many: 'alertas',
    one: 'una alerta',
    The: 'La alerta',
    of: 'de la alerta',
    end: 'a',
    created: 'Creada. El secreto no se vuelve a mostrar; por correo no hay.',
  },
  summaryOfDeliveries: 'Listar entregas de alertas',
  descriptions: {
    list: 'Las de la cuenta, con el valor que mira cada una y si su condición se cumple ahora. Un parámetro es 400.',
    create:
      'Avisa una vez cuando el valor cruza el umbral, o cada vez con `repeat`. Si la condición ya se cumple al crearla, lo dice (`phase: "waiting"`) y espera a que deje de cumplirse. Repetir `operationId` devuelve la primera, sin secreto.',
    deliveries: `De la más nueva a la más vieja, hasta ${DELIVERY_PAGE_MAX} por página, como las de webhooks. Los correos no son entregas. Otros parámetros son 400.`,
    read: 'Con su URL completa; nunca con el secreto ni la credencial del receptor. Un parámetro es 400.',
    edit: 'Cambia lo que el cuerpo nombra y cancela los envíos que esperaban. Otra condición, otro umbral o una activación la arman de nuevo, o la dejan esperando si ya se cumple; `enabled: true` también arma una que terminó. Una condición de otra unidad pide un `threshold` nuevo. La que pasa de correo a webhook tiene un secreto que no se mostró: pedile uno a `rotate-secret`.',
    test: 'Pone en cola un `alert.test` con los valores vigentes, también si está pausada. Por correo sale enseguida, o con el próximo si la cuenta ya tuvo sus diez de la hora.',
  },
  refusesQuery: true,
  bodies: { createBody, editBody },
  deliveriesQuery,
  fields: {
    currency: 'Moneda del par.',
    origin: 'Origen del par; tiene que existir en el catálogo.',
    side: 'Qué valor mira: la compra o la venta.',
    condition: 'Cuándo dispara.',
    threshold:
      'Mayor que 0. En `above` y `below` un precio, con los decimales del par; en `change` y `gap` un por ciento, con hasta 2 decimales.',
    hysteresis: 'En la misma unidad, de 0 a menos que el umbral.',
    against:
      'El otro par de `gap`: otro precio de la misma moneda. En las otras condiciones no va.',
    repeat: 'Si vuelve a armarse después de disparar.',
    channel:
      '`webhook`: un POST firmado a `url`. `email`: al correo de la cuenta, uno por hora como mucho, y diez por hora entre todas las alertas y sus pruebas.',
    url: `${URL_WORDS} Solo por webhook.`,
    enabled: 'Si avisa.',
  },
  filter: { alertId: 'Solo las de esta alerta.' },
  notFound: privateRefusal('No existe o es de otra cuenta.', ALERT_NOT_FOUND),
  example: alert,
  creation: { operationId, currency, origin, condition, threshold, hysteresis, repeat, url },
  edit: { threshold: 1550 },
  edited: { threshold: 1550 },
  delivery,
})
