/** Every OpenAPI document that the service serves. The interactive reference shows `DOCUMENTS`. */
import { alertOperations, alerts } from '../../../shared/api/alerts.ts'
import { nightlyFiles } from '../../../shared/api/nightly-files.ts'
import { compatibility } from '../../../shared/api/compatibility.ts'
import { convert } from '../../../shared/api/convert.ts'
import { currentReads, legacyReads } from '../../../shared/api/current.ts'
import { dates } from '../../../shared/api/dates.ts'
import { history } from '../../../shared/api/history.ts'
import { invoicing } from '../../../shared/api/invoicing.ts'
import { type Deployment, type Resource, resource } from '../../../shared/api/operation.ts'
import { series } from '../../../shared/api/series.ts'
import { key, readiness, status } from '../../../shared/api/service.ts'
import { stream } from '../../../shared/api/stream.ts'
import { webhookOperations, webhookResources } from '../../../shared/api/webhooks.ts'
import { KEY_QUOTA, MANAGEMENT_QUOTA, MAX_BODY_BYTES } from '../../../shared/limits.ts'
import { WEBHOOK_LIMIT } from '../../../shared/webhooks/webhook.ts'
import { alertEvents, EVENTS, webhookEvents } from './events.ts'
import { asSheets, componentsOf, inJson, pathsOf, securitySchemes } from './from-operations.ts'
import { type Document, LICENSE } from './openapi.ts'
import { numberText } from '../../../shared/market/spanish-text.ts'

const ERRORS = `Todo error JSON es un objeto con un solo campo, \`error\`, en castellano. Una ruta \`/api/*\` desconocida es 404; un método que la ruta no admite, 405 con \`Allow\`; lo imprevisto, 500 \`Error interno\`.`

const keyLimits = ({ dailyBudget }: Deployment) =>
  `Las rutas con clave admiten ${KEY_QUOTA} pedidos por minuto y clave (ventana fija del minuto UTC); las de webhooks, las de alertas y la verificación de clave, además, ${MANAGEMENT_QUOTA} por minuto y clave entre todas. El conjunto de integraciones comparte ${numberText(dailyBudget)} pedidos privados por día UTC; agotados, 503 con \`Retry-After\` hasta el día siguiente. \`RateLimit-Limit\`, \`RateLimit-Remaining\` y \`RateLimit-Reset\` cuentan el límite más ajustado. Un pedido rechazado no consume cuota.`

const publicLimits = ({ dateReads }: Deployment) =>
  `Las consultas por fecha admiten ${numberText(dateReads)} pedidos cada 10 segundos por IP; pasado eso, 429 durante 10 segundos con \`Retry-After\`. Las lecturas actuales se pueden guardar 60 segundos; los datos se renuevan cada 5 minutos.`

interface Content {
  title: string
  version: string
  summary: string
  about: string
  limits: (deployment: Deployment) => string
  resources: readonly Resource[]
  events?: (deployment: Deployment) => Document['paths']
}

/** A document and its path. Pages show its `name`. */
const served = (path: string, name: string, content: Content) => ({
  path,
  name,
  make(deployment: Deployment): Document {
    const { title, version, summary, about, limits, resources, events } = content
    const shown = resources.filter(
      ({ tag }) => tag !== compatibility.tag || deployment.compatibility,
    )
    const paths = pathsOf(shown, deployment)
    const webhooks = events?.(deployment)
    const description = `${about}\n\n**Límites.** ${limits(deployment)}\n\n**Errores.** ${ERRORS}`
    return {
      openapi: '3.1.0',
      info: { title, version, license: LICENSE, summary, description },
      servers: [{ url: deployment.origin, description: 'Este servicio' }],
      tags: resources.map(({ tag }) => tag),
      paths,
      ...(webhooks && { webhooks }),
      components: { schemas: componentsOf(paths, webhooks), securitySchemes },
    }
  },
})

const allLimits = (deployment: Deployment) => `${publicLimits(deployment)} ${keyLimits(deployment)}`

const READS = [currentReads, stream, dates, history, key, status, legacyReads].map(inJson)
const WEBHOOKS = [...webhookResources, { tag: EVENTS, operations: [] }]
const { redeliver, redeliverSince } = webhookOperations
const EXTENSIONS = [
  invoicing,
  series,
  convert,
  alerts,
  resource('Reenvíos', 'Lo que un receptor se perdió, otra vez.', [
    redeliver,
    redeliverSince,
    alertOperations.redeliver,
    alertOperations.redeliverSince,
  ]),
  readiness,
  nightlyFiles,
  compatibility,
]

/** The documents of all operations. The versions of the first two are those of the contract. */
export const DOCUMENTS = [
  served('/openapi/quotes.json', 'OpenAPI de lecturas', {
    title: 'Cotizaciones: lecturas',
    version: '2.1.0',
    summary: 'Los tipos de cambio del mercado argentino, ahora y a cualquier fecha.',
    about:
      'Leer cotizaciones, actuales o a una fecha, es público: sin clave ni cuenta. El historial y la verificación de clave la necesitan. Los precios son pesos argentinos por unidad; las horas, argentinas (UTC−03:00).',
    limits: allLimits,
    resources: READS,
  }),
  served('/openapi/webhooks.json', 'OpenAPI de webhooks', {
    title: 'Cotizaciones: webhooks',
    version: '2.4.0',
    summary: 'Un POST firmado a tu servidor cada vez que un par cambia.',
    about: `Todas las rutas necesitan una clave, y ninguna respuesta se guarda. Hasta ${WEBHOOK_LIMIT} webhooks por cuenta, contando los pausados; cada uno sigue un par. Diez intentos automáticos fallidos seguidos lo pausan; uno entregado vuelve la cuenta a cero, y ni las sincronizaciones, ni las pruebas, ni las interrupciones nuestras cuentan.\n\nCómo verificar una firma: [/docs/webhooks](/docs/webhooks).`,
    limits: (deployment) =>
      `${keyLimits(deployment)} Un cuerpo puede tener hasta ${numberText(MAX_BODY_BYTES)} bytes.`,
    resources: WEBHOOKS,
    events: webhookEvents,
  }),
  /**
   * Operations beyond the contract's two documents (decision 63: a document of its own).
   * CONTRIBUTING.md says what else a new operation needs.
   */
  served('/openapi/extras.json', 'OpenAPI de agregados', {
    title: 'Cotizaciones: agregados',
    version: '1.0.0',
    summary: 'Lo que hasta ahora había que hacer a mano con las cotizaciones.',
    about:
      'Rutas que se suman a las de lecturas y webhooks, con las mismas reglas: días y horas argentinos, decimales exactos, `ETag` y 304 en lo que se puede guardar. Un parámetro que una ruta no tiene es 400.',
    limits: allLimits,
    resources: [...EXTENSIONS, ...[currentReads, legacyReads, dates, history].map(asSheets)],
    events: alertEvents,
  }),
]

/** Every operation once, for client generators. */
export const JOINED = served('/openapi/all.json', 'OpenAPI de todo, para generar un cliente', {
  title: 'Cotizaciones: todo, en JSON',
  version: '1.0.0',
  summary: 'Las rutas de los otros tres documentos en uno, para generar un cliente.',
  about:
    'Cada ruta está una vez, con su respuesta en JSON; las tablas y los números para planillas están en los agregados.',
  limits: allLimits,
  resources: [...READS, ...WEBHOOKS, ...EXTENSIONS.map(inJson)],
  events: (deployment) => ({ ...webhookEvents(deployment), ...alertEvents(deployment) }),
})
