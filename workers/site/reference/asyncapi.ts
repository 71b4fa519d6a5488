/**
 * What receivers get, as an AsyncAPI 3.0 document of the same events and schemas as the reference.
 */
import * as examples from './examples.ts'
import { alertSchemas } from './extensions/alert-schemas.ts'
import { alertEvents } from './extensions/alerts.ts'
import { attemptLimits, type Terms } from './limits.ts'
import { LICENSE, type Operation, type PathItem, type Schema } from './openapi.ts'
import * as quotes from './schemas/quotes.ts'
import * as webhooks from './schemas/webhooks.ts'
import { streamPath } from './stream-path.ts'
import { toComponents } from './to-schemas.ts'
import { webhookEvents } from './webhook-events.ts'

export const ASYNCAPI_PATH = '/asyncapi.json'

/** Of the HTTP bindings. */
const BINDING = { bindingVersion: '0.3.0' }

const ref = (path: string) => ({ $ref: `#/${path}` })

export function asyncapiDocument(terms: Terms) {
  const { protocol, host } = new URL(terms.origin)
  const stream = streamPath['/api/v2/stream']!.get!
  const channels = {
    webhook: deliveries('El webhook de un par', terms, webhookEvents(terms)),
    alert: deliveries('El webhook de una alerta', terms, alertEvents(terms)),
    stream: {
      address: '/api/v2/stream',
      title: stream.summary,
      description: stream.description,
      servers: [ref('servers/cotizaciones')],
      messages: { quote: quoteMessage },
    },
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Cotizaciones: avisos',
      version: '1.0.0',
      description:
        'Lo que este servicio manda: webhooks de pares, webhooks de alertas y el flujo de cambios. Cómo se piden está en los documentos OpenAPI; cómo se verifica una firma, en /docs/webhooks.',
      license: { name: LICENSE.name },
      externalDocs: { url: `${terms.origin}/docs/webhooks` },
    },
    defaultContentType: 'application/json',
    servers: {
      cotizaciones: {
        host,
        protocol: protocol.slice(0, -1),
        description: 'Este servicio: un flujo abierto por el cliente.',
      },
      receptor: {
        host: '{host}',
        protocol: 'https',
        description: 'Tu servidor, por la URL del webhook o de la alerta.',
        variables: { host: { description: 'Un nombre público.', examples: ['tu-servidor.com'] } },
      },
    },
    channels,
    operations: {
      sendWebhook: sends('webhook', channels.webhook, { method: 'POST' }),
      sendAlert: sends('alert', channels.alert, { method: 'POST' }),
      sendQuotes: sends('stream', channels.stream, { method: 'GET', query: queryOf(stream) }),
    },
    components: {
      schemas: toComponents(
        {
          WebhookEvent: webhooks.webhookEvent,
          AlertEvent: alertSchemas.AlertEvent,
          CurrentQuote: quotes.currentQuote,
        },
        'draft-07',
      ),
    },
  }
}

/** What one kind of receiver gets; each has an address of its own. */
function deliveries(title: string, terms: Terms, events: Record<string, PathItem>) {
  return {
    address: null,
    title,
    description: `Un \`POST\` firmado a la URL del receptor. Hasta ${attemptLimits(terms)}; solo un 2xx en 10 segundos confirma.`,
    servers: [ref('servers/receptor')],
    messages: Object.fromEntries(
      Object.entries(events).map(([name, { post }]) => [post!.operationId, messageOf(name, post!)]),
    ),
  }
}

/** The event's name in the payload distinguishes it from others in the channel. */
function messageOf(name: string, { summary, description, parameters, requestBody }: Operation) {
  const { schema, example } = requestBody!.content['application/json']!
  const fields = parameters ?? []
  return {
    name,
    title: summary,
    description,
    headers: {
      type: 'object',
      properties: Object.fromEntries(
        fields.map(({ name, schema, description }) => [name, { ...schema, description }]),
      ),
      required: fields.filter(({ required }) => required).map(({ name }) => name),
    },
    payload: {
      allOf: [schema, { type: 'object', properties: { event: { const: name } } }],
    },
    examples: [{ payload: example }],
  }
}

const quoteMessage = {
  name: 'quote',
  title: 'Una cotización',
  description:
    'El `data` de un evento `quote`. Su `id` es lo que vuelve en `Last-Event-ID`; un valor corregido llega sin él.',
  payload: ref('components/schemas/CurrentQuote'),
  examples: [{ payload: examples.currentQuote }],
}

function sends(
  name: string,
  { title, messages }: { title: string; messages: object },
  http: object,
) {
  return {
    action: 'send',
    channel: ref(`channels/${name}`),
    title,
    messages: Object.keys(messages).map((message) => ref(`channels/${name}/messages/${message}`)),
    bindings: { http: { ...http, ...BINDING } },
  }
}

function queryOf({ parameters = [] }: Operation): Schema {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  return {
    type: 'object',
    properties: Object.fromEntries(
      inQuery.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
  }
}
