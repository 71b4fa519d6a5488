/** The operations of webhooks and of alerts: the same ten, each kind in its words. */
import * as z from 'zod'
import { MAX_BODY_BYTES } from '../body-limit.ts'
import {
  DAILY_BUDGET_SPENT,
  DELIVERY_NOT_FOUND,
  DELIVERY_OPEN,
  IN_PREPARATION,
  NO_PARAMETERS,
  NOT_JSON,
  PAGE_NOT_FOUND,
  SEND_IN_FLIGHT,
  UNKNOWN_FIELDS,
  WRONG_QUERY,
} from '../sentences.ts'
import { OPEN_REDELIVERIES } from '../subscriptions/redeliver.ts'
import { isUuid } from '../uuid.ts'
import {
  privateJson,
  privateRefusal,
  quotaExhausted,
  unauthorized,
  unavailable,
} from './answers.ts'
import { type Answer, named, type Operation, type Resource } from './operation.ts'
import { emptyBody, examples, sinceBody, versionBody } from './subscription-fields.ts'

const redelivered = z
  .object({
    redelivered: z.int().min(0).max(OPEN_REDELIVERIES).describe('Cuántas salen otra vez.'),
    remaining: z
      .int()
      .min(0)
      .describe('Cuántas desde entonces siguen sin llegar: se piden con otra llamada.'),
  })
  .describe('Lo que se reenvía.')
  .register(named, { id: 'Redelivered' })

const redeliveryQueued = z
  .object({
    id: z.int().min(1),
    deliveryId: z.string(),
    status: z.literal('pending').describe('Aceptada, todavía no recibida.'),
  })
  .describe('El reenvío quedó en cola.')
  .register(named, { id: 'RedeliveryQueued' })

const queued = { id: 42, deliveryId: examples.delivery.deliveryId, status: 'pending' }

const uuidInPath = (name: string, description: string, example: string) =>
  z.object({
    [name]: z.string().refine(isUuid).describe(description).meta({ format: 'uuid', example }),
  })

/** How a kind is described. */
export interface Described {
  kind: 'webhook' | 'alert'
  plural: 'webhooks' | 'alerts'
  limit: number
  tag: string
  deliveriesTag: string
  /** The name in operations. `infix` is for those that do not name webhooks. */
  Name: 'Webhook' | 'Alert'
  infix: '' | 'Alert'
  words: { many: string; one: string; The: string; of: string; end: 'o' | 'a'; created: string }
  summaryOfDeliveries: string
  /** The descriptions of the operations. */
  descriptions: Record<'list' | 'create' | 'deliveries' | 'read' | 'edit' | 'test', string>
  /** Whether its reads refuse every parameter. */
  refusesQuery: boolean
  bodies: { createBody: z.ZodObject; editBody: z.ZodObject }
  deliveriesQuery: z.ZodObject
  schemas: Record<
    | 'list'
    | 'read'
    | 'issued'
    | 'reconciled'
    | 'edited'
    | 'rotated'
    | 'deleted'
    | 'testQueued'
    | 'deliveryPage',
    z.ZodType
  >
  notFound: string
  paused: string
  /** One as it is shown, one to create, an edit and what it changes, and a delivery of it. */
  example: { id: string }
  creation: object
  edit: object
  edited: object
  delivery: object
}

type Managed = Pick<Operation, 'id' | 'method' | 'path' | 'tag' | 'summary' | 'description'> &
  Pick<Operation, 'params' | 'query' | 'body'> & {
    /** The sentence of the 400 of a read. */
    refusesQuery?: string
    ok?: Answer
    created?: Answer
    accepted?: Answer
    notFound?: Answer
    /** The sentence of the 409. */
    conflict?: string
  }

/** An operation behind a key, with all the refusals that follow from what it takes. */
function managed(definition: Managed): Operation {
  const { refusesQuery, ok, created, accepted, notFound, conflict, ...operation } = definition
  return {
    ...operation,
    key: true,
    answers: {
      ...(ok && { 200: ok }),
      ...(created && { 201: created }),
      ...(accepted && { 202: accepted }),
      ...(refusesQuery && { 400: privateRefusal('La consulta no es válida.', refusesQuery) }),
      401: unauthorized,
      ...(notFound && { 404: notFound }),
      ...(conflict && { 409: privateRefusal('No se puede en el estado actual.', conflict) }),
      ...(operation.body && {
        400: privateRefusal('El cuerpo no es válido o tiene campos desconocidos.', UNKNOWN_FIELDS),
        413: privateRefusal(
          'El cuerpo es demasiado largo.',
          `El cuerpo supera los ${MAX_BODY_BYTES} bytes`,
        ),
        415: privateRefusal('El cuerpo no es JSON.', NOT_JSON),
      }),
      429: quotaExhausted,
      503: unavailable(
        'La función está en preparación, se agotó la capacidad de envíos o la diaria, o la base de datos no responde.',
        created || accepted ? IN_PREPARATION : DAILY_BUDGET_SPENT,
      ),
    },
  }
}

const NO_MORE = { refusesQuery: NO_PARAMETERS }
const VERSIONED = { schema: versionBody, example: { version: 1 } }
const EMPTY = { schema: emptyBody, example: {}, optional: true }

/** The operations of a kind, by what they do. */
export const managementOf = (described: Described) => ({
  ...ofAll(described),
  ...ofOne(described),
})

const shown = ({ kind, example }: Described, changes: object = {}) => ({
  [kind]: { ...example, ...changes },
})
const ISSUED = { secret: examples.secret, reconciled: false }

function ofAll(described: Described) {
  const { plural, limit, tag, Name, infix, words, descriptions, schemas } = described
  const path = `/api/v2/${plural}`
  return {
    list: managed({
      id: `list${Name}s`,
      method: 'get',
      path,
      tag,
      summary: `Listar ${words.many}`,
      description: descriptions.list,
      ...(described.refusesQuery && NO_MORE),
      ok: privateJson(`L${words.end}s ${words.many} y el límite.`, schemas.list, {
        [plural]: [described.example],
        limit,
      }),
    }),
    create: managed({
      id: `create${Name}`,
      method: 'post',
      path,
      tag,
      summary: `Crear ${words.one}`,
      description: `${descriptions.create} Como máximo ${limit} por cuenta.`,
      body: { schema: described.bodies.createBody, example: described.creation },
      created: privateJson(words.created, schemas.issued, {
        ...shown(described),
        ...ISSUED,
      }),
      ok: privateJson('Ya existía con ese `operationId`.', schemas.reconciled, {
        ...shown(described),
        reconciled: true,
      }),
      conflict: `La cuenta llegó al límite de ${limit} ${words.many}`,
    }),
    deliveries: managed({
      id: `list${infix}Deliveries`,
      method: 'get',
      path: `${path}/deliveries`,
      tag: described.deliveriesTag,
      summary: described.summaryOfDeliveries,
      description: descriptions.deliveries,
      query: described.deliveriesQuery,
      refusesQuery: WRONG_QUERY,
      ok: privateJson('Una página.', schemas.deliveryPage, {
        deliveries: [described.delivery],
        nextCursor: 'v1:42',
      }),
      notFound: privateRefusal('El cursor es ajeno o ya no existe.', PAGE_NOT_FOUND),
    }),
  }
}

function ofOne(described: Described) {
  const { kind, plural, tag, Name, infix, words, descriptions, schemas } = described
  const path = `/api/v2/${plural}`
  const one = {
    tag,
    params: uuidInPath('id', `El \`id\` ${words.of}, un UUID en minúsculas.`, described.example.id),
    notFound: privateRefusal(
      kind === 'webhook'
        ? 'No existe, venció o es de otra cuenta.'
        : 'No existe o es de otra cuenta.',
      described.notFound,
    ),
  }
  const conflict = `${words.The} cambió: su versión ya no es la indicada`
  return {
    read: managed({
      ...one,
      id: `read${Name}`,
      method: 'get',
      path: `${path}/{id}`,
      summary: `Leer ${words.one}`,
      description: descriptions.read,
      ...(described.refusesQuery && NO_MORE),
      ok: privateJson(`${words.The}.`, schemas.read, shown(described, { url: examples.url })),
    }),
    edit: managed({
      ...one,
      id: `edit${Name}`,
      method: 'patch',
      path: `${path}/{id}`,
      summary: 'Editar, pausar o activar',
      description: descriptions.edit,
      body: {
        schema: described.bodies.editBody,
        example: { version: 1, ...described.edit },
      },
      ok: privateJson(`${words.The} editad${words.end}.`, schemas.edited, {
        ...shown(described, { ...described.edited, version: 2 }),
        reconciled: false,
      }),
      conflict,
    }),
    remove: managed({
      ...one,
      id: `delete${Name}`,
      method: 'delete',
      path: `${path}/{id}`,
      summary: `Borrar ${words.one}`,
      description: 'Borra su configuración, sus secretos y sus entregas.',
      body: VERSIONED,
      ok: privateJson(`Borrad${words.end}.`, schemas.deleted, { deleted: true }),
      conflict,
    }),
    rotate: managed({
      ...one,
      id: `rotate${infix}Secret`,
      method: 'post',
      path: `${path}/{id}/rotate-secret`,
      summary: 'Rotar el secreto',
      description: 'El secreto nuevo firma desde el próximo intento. Con un envío en curso, 409.',
      body: VERSIONED,
      ok: privateJson('El secreto nuevo, esta única vez.', schemas.rotated, {
        ...shown(described, { version: 2 }),
        ...ISSUED,
      }),
      conflict: SEND_IN_FLIGHT,
    }),
    test: managed({
      ...one,
      id: `test${Name}`,
      method: 'post',
      path: `${path}/{id}/test`,
      summary: 'Enviar una prueba',
      description: descriptions.test,
      body: EMPTY,
      accepted: privateJson('En cola.', schemas.testQueued, queued),
      conflict: 'quote_unavailable',
    }),
  }
}

const REDELIVERIES = 'Reenvíos'

/** The redeliveries of a kind. */
export function redeliveriesOf({ Name, plural, words, example, notFound, paused }: Described) {
  const path = `/api/v2/${plural}`
  return {
    redeliver: managed({
      id: `redeliver${Name}Delivery`,
      method: 'post',
      path: `${path}/deliveries/{deliveryId}/redeliver`,
      tag: REDELIVERIES,
      summary: 'Reenviar una entrega',
      description:
        'Una entrega que terminó y todavía se conserva sale otra vez: el mismo identificador, los mismos bytes, hasta cuatro intentos más, que `attempts` cuenta desde cero. Va a la URL de ahora, sin esperar a otras, y no cuenta para la pausa. 409 si no terminó o si hay que activar antes.',
      params: uuidInPath(
        'deliveryId',
        'El `deliveryId` de la entrega.',
        examples.delivery.deliveryId,
      ),
      body: EMPTY,
      accepted: privateJson('En cola.', redeliveryQueued, queued),
      notFound: privateRefusal('No existe, venció o es de otra cuenta.', DELIVERY_NOT_FOUND),
      conflict: DELIVERY_OPEN,
    }),
    redeliverSince: managed({
      id: `redeliver${Name}`,
      method: 'post',
      path: `${path}/{id}/redeliver`,
      tag: REDELIVERIES,
      summary: 'Reenviar lo que no llegó',
      description: `Las entregas ${words.of} que desde ese momento terminaron sin llegar (\`dead\` y \`cancelled\`, sin las pruebas) salen otra vez, de la más vieja a la más nueva y de a una, hasta ${OPEN_REDELIVERIES} por llamada. Pueden llegar después de un valor más nuevo: \`updatedAt\` lo dice. No demoran lo nuevo ni cuentan para la pausa; una pausa las cancela. 503 si ya hay ${OPEN_REDELIVERIES} esperando.`,
      params: uuidInPath('id', `El \`id\` ${words.of}, un UUID en minúsculas.`, example.id),
      body: { schema: sinceBody, example: { since: '2026-03-02T12:00:00.000Z' } },
      accepted: privateJson('En cola.', redelivered, { redelivered: 24, remaining: 0 }),
      notFound: privateRefusal('No existe o es de otra cuenta.', notFound),
      conflict: paused,
    }),
  }
}

/** The subject of the redeliveries of all kinds. */
export const redeliveries = (...operations: Operation[]): Resource => ({
  tag: { name: REDELIVERIES, description: 'Lo que un receptor se perdió, otra vez.' },
  operations,
})
