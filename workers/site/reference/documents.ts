/** Every OpenAPI document that the service serves. The interactive reference shows `DOCUMENTS`. */
import { alertOperations, alerts } from '../../../shared/api/alerts.ts'
import { nightlyFiles } from '../../../shared/api/nightly-files.ts'
import { compatibility } from '../../../shared/api/compatibility.ts'
import { convert } from '../../../shared/api/convert.ts'
import { currentReads, legacyReads, sheetReads } from '../../../shared/api/current.ts'
import { dates } from '../../../shared/api/dates.ts'
import { history } from '../../../shared/api/history.ts'
import { invoicing } from '../../../shared/api/invoicing.ts'
import type { Deployment } from '../../../shared/api/operation.ts'
import { series } from '../../../shared/api/series.ts'
import { key, readiness, status } from '../../../shared/api/service.ts'
import { stream } from '../../../shared/api/stream.ts'
import { redeliveries } from '../../../shared/api/subscriptions.ts'
import { webhookOperations, webhookResources } from '../../../shared/api/webhooks.ts'
import { KEY_QUOTA, MANAGEMENT_QUOTA, MAX_BODY_BYTES } from '../../../shared/limits.ts'
import { WEBHOOK_LIMIT } from '../../../shared/webhooks/webhook.ts'
import { alertEvents, type Shown, webhookEvents } from './events.ts'
import {
  asSheets,
  componentsOf,
  eventsOf,
  inJson,
  pathsOf,
  securitySchemes,
  withKey,
} from './from-operations.ts'
import { type Document, LICENSE } from './openapi.ts'
import { numberText } from '../../../shared/market/spanish-text.ts'

const ERRORS = `Todo error JSON es un objeto con un solo campo, \`error\`, en castellano. Una ruta \`/api/*\` desconocida es 404; un método que la ruta no admite, 405 con \`Allow\`; lo imprevisto, 500 \`Error interno\`.`

const keyLimits = ({ dailyBudget }: Deployment) =>
  `Las rutas con clave admiten ${KEY_QUOTA} pedidos por minuto y clave (ventana fija del minuto UTC); las de webhooks, las de alertas y la verificación de clave, además, ${MANAGEMENT_QUOTA} por minuto y clave entre todas. El conjunto de integraciones comparte ${numberText(dailyBudget)} pedidos privados por día UTC; agotados, 503 con \`Retry-After\` hasta el día siguiente. \`RateLimit-Limit\`, \`RateLimit-Remaining\` y \`RateLimit-Reset\` cuentan el límite más ajustado. Un pedido rechazado no consume cuota.`

const publicLimits = ({ dateReads }: Deployment) =>
  `Las consultas por fecha admiten ${numberText(dateReads)} pedidos cada 10 segundos por IP; pasado eso, 429 durante 10 segundos con \`Retry-After\`. Las lecturas actuales se pueden guardar 60 segundos; los datos se renuevan cada 5 minutos.`

export interface ServedDocument {
  path: string
  /** Its name on pages. */
  title: string
  make: (deployment: Deployment) => Document
}

interface Content {
  title: string
  version: string
  summary: string
  paragraphs: (deployment: Deployment) => string[]
  resources: readonly Shown[]
  /** Whether every operation needs a key. */
  isPrivate?: boolean
}

const document =
  ({ title, version, summary, paragraphs, resources, isPrivate = false }: Content) =>
  (deployment: Deployment): Document => {
    const shown = resources.filter(
      ({ compatibility }) => !compatibility || deployment.compatibility,
    )
    const paths = pathsOf(shown, deployment)
    const webhooks = eventsOf(shown, deployment)
    return {
      openapi: '3.1.0',
      info: {
        title,
        version,
        license: LICENSE,
        summary,
        description: [...paragraphs(deployment), `**Errores.** ${ERRORS}`].join('\n\n'),
      },
      servers: [{ url: deployment.origin, description: 'Este servicio' }],
      tags: resources.map(({ tag }) => tag),
      security: isPrivate ? withKey : [],
      paths,
      ...(Object.keys(webhooks).length > 0 && { webhooks }),
      components: { schemas: componentsOf(paths, webhooks), securitySchemes },
    }
  }

const READS = [currentReads, stream, dates, history, key, status, legacyReads].map(inJson)

/** Quotes, dates, history, key check and status; versions as the contract states them. */
const quotesDocument = document({
  title: 'Cotizaciones: lecturas',
  version: '2.1.0',
  summary: 'Los tipos de cambio del mercado argentino, ahora y a cualquier fecha.',
  paragraphs: (deployment) => [
    'Leer cotizaciones, actuales o a una fecha, es público: sin clave ni cuenta. El historial y la verificación de clave la necesitan. Los precios son pesos argentinos por unidad; las horas, argentinas (UTC−03:00).',
    `**Límites.** ${publicLimits(deployment)} ${keyLimits(deployment)}`,
  ],
  resources: READS,
})

const WEBHOOKS = [
  ...webhookResources,
  {
    tag: { name: 'Eventos', description: 'Lo que recibe tu servidor.' },
    operations: [],
    events: webhookEvents,
  },
]

/** Webhooks, their deliveries, and what receivers get. */
const webhooksDocument = document({
  title: 'Cotizaciones: webhooks',
  version: '2.4.0',
  summary: 'Un POST firmado a tu servidor cada vez que un par cambia.',
  paragraphs: (deployment) => [
    `Todas las rutas necesitan una clave, y ninguna respuesta se guarda. Hasta ${WEBHOOK_LIMIT} webhooks por cuenta, contando los pausados; cada uno sigue un par. Diez intentos automáticos fallidos seguidos lo pausan; uno entregado vuelve la cuenta a cero, y ni las sincronizaciones, ni las pruebas, ni las interrupciones nuestras cuentan.`,
    `**Límites.** ${keyLimits(deployment)} Un cuerpo puede tener hasta ${numberText(MAX_BODY_BYTES)} bytes.`,
    'Cómo verificar una firma: [/docs/webhooks](/docs/webhooks).',
  ],
  resources: WEBHOOKS,
  isPrivate: true,
})

const { redeliver, redeliverSince } = webhookOperations
const ofAlerts = [alertOperations.redeliver, alertOperations.redeliverSince]

const EXTENSIONS = [
  invoicing,
  series,
  convert,
  { ...alerts, events: alertEvents },
  redeliveries(redeliver, redeliverSince, ...ofAlerts),
  readiness,
  nightlyFiles,
  compatibility,
]

/**
 * What the service offers beyond the contract's two documents (decision 63: a document of its own).
 * The first word of a new path goes into `RESERVED` of the edge's `errors.ts`, and a test of
 * each declared answer into `test/site/reference/`.
 */
const extensionsDocument = document({
  title: 'Cotizaciones: agregados',
  version: '1.0.0',
  summary: 'Lo que hasta ahora había que hacer a mano con las cotizaciones.',
  paragraphs: (deployment) => [
    'Rutas que se suman a las de lecturas y webhooks, con las mismas reglas: días y horas argentinos, decimales exactos, `ETag` y 304 en lo que se puede guardar. Un parámetro que una ruta no tiene es 400.',
    `**Límites.** ${publicLimits(deployment)} ${keyLimits(deployment)}`,
  ],
  resources: [...EXTENSIONS, sheetReads, asSheets(dates), asSheets(history)],
})

/** Every operation once, for client generators. */
const joinedDocument = document({
  title: 'Cotizaciones: todo, en JSON',
  version: '1.0.0',
  summary: 'Las rutas de los otros tres documentos en uno, para generar un cliente.',
  paragraphs: (deployment) => [
    'Cada ruta está una vez, con su respuesta en JSON; las tablas y los números para planillas están en los agregados.',
    `**Límites.** ${publicLimits(deployment)} ${keyLimits(deployment)}`,
  ],
  resources: [...READS, ...WEBHOOKS, ...EXTENSIONS.map(inJson)],
})

export const DOCUMENTS: readonly ServedDocument[] = [
  { path: '/openapi/quotes.json', title: 'OpenAPI de lecturas', make: quotesDocument },
  { path: '/openapi/webhooks.json', title: 'OpenAPI de webhooks', make: webhooksDocument },
  { path: '/openapi/extras.json', title: 'OpenAPI de agregados', make: extensionsDocument },
]

export const JOINED: ServedDocument = {
  path: '/openapi/all.json',
  title: 'OpenAPI de todo, para generar un cliente',
  make: joinedDocument,
}
