/** The ten operations that webhooks and alerts share, with the texts of each kind. */
import * as z from 'zod/mini'
import { MAX_BODY_BYTES, OPEN_REDELIVERIES } from '../limits.ts'
import * as sentence from '../sentences.ts'
import type { NewSubscription, Switch } from '../subscriptions/kind.ts'
import { refusalText, WORDS } from '../subscriptions/refusal.ts'
import type { SubscriptionKind } from '../webhooks/webhook.ts'
import { gateRefusals, privateJson, privateRefusal } from './answers.ts'
import { noQuery, wholeNumber } from './fields.ts'
import {
  type Answers,
  type Deployment,
  doc,
  exampleOf,
  named,
  type Operation,
} from './operation.ts'
import * as part from './subscription-fields.ts'

/** The texts, schemas and examples of a kind. */
export interface Described<New extends NewSubscription, Edit extends Switch> {
  kind: SubscriptionKind
  /** The id in examples. */
  exampleId: string
  /** The descriptions of the operations, of their 201 (`created`) and of their 404 (`gone`). */
  descriptions: Record<
    'list' | 'create' | 'created' | 'deliveries' | 'read' | 'edit' | 'test' | 'gone',
    string
  >
  /** Whether reads refuse every query parameter. The contract does not say this for webhooks. */
  refusesQuery: boolean
  createBody: () => z.ZodMiniType<New>
  editBody: () => z.ZodMiniType<Edit>
  /** A subscription in lists, a read with its URL, the secret of a new one, an accepted test. */
  schemas: Record<'shown' | 'own' | 'issued' | 'testQueued', () => z.ZodMiniType>
  /** Example bodies: a creation, an edit, and the fields that the edit changes. */
  creation: object
  edit: object
  edited: object
}

/** The parts of `Described` that do not depend on the bodies. */
type Shown = Omit<Described<never, never>, 'createBody' | 'editBody'>

const isNew = () => ({ reconciled: z.literal(false) })

/** The answers of a kind. */
function schemasOf({ kind, exampleId, schemas: { shown, own, issued } }: Shown) {
  const { plural, Name, infix } = WORDS[kind]
  const one = () => ({ [kind]: shown() })
  const delivery = named(`${infix}Delivery`, 'Un envío y cómo le fue.', () => ({
    ...part.deliveryFields(),
    [`${kind}Id`]: part.uuid(exampleId),
  }))
  return {
    list: named(`${Name}List`, '', () => ({
      [plural]: z.array(shown()),
      limit: doc(z.literal(WORDS[kind].limit), 'El máximo de una cuenta.'),
    })),
    read: named(`${Name}Read`, '', () => ({ [kind]: own() })),
    issued: named(`${Name}Issued`, '', () => ({ ...one(), secret: issued(), ...isNew() })),
    reconciled: named(`${Name}Reconciled`, '', () => ({ ...one(), reconciled: z.literal(true) })),
    edited: named(`${Name}Edited`, '', () => ({ ...one(), ...isNew() })),
    rotated: named(`${Name}Rotated`, '', () => ({ ...one(), secret: part.secret(), ...isNew() })),
    deleted: named(`${Name}Deleted`, '', () => ({ deleted: z.literal(true) })),
    deliveryPage: named(`${infix}DeliveryPage`, '', () => part.pageOf(delivery())),
  }
}

interface Outcome {
  /** The answers to a request that succeeds. */
  succeeds: () => Answers
  notFound?: () => [description: string, error: string]
  /** The sentence of the 409. */
  conflict?: () => string
}

/** An operation that needs a key, with the refusals that its parameters and its body imply. */
function managed<
  Params extends z.ZodMiniObject,
  Query extends z.ZodMiniObject,
  Body extends z.ZodMiniType,
>({
  succeeds,
  notFound,
  conflict,
  ...operation
}: Omit<Operation<Params, Query, Body>, 'answers'> & Outcome): Operation<Params, Query, Body> {
  const { query, queryText = sentence.NO_PARAMETERS, body } = operation
  const answers = (deployment: Deployment) => {
    const success = succeeds()
    return {
      ...success,
      ...(query && { 400: privateRefusal('La consulta no es válida.', queryText) }),
      ...(notFound && { 404: privateRefusal(...notFound()) }),
      ...(conflict && { 409: privateRefusal('No se puede en el estado actual.', conflict()) }),
      ...(body && {
        400: privateRefusal(
          'El cuerpo no es válido o tiene campos desconocidos.',
          sentence.UNKNOWN_FIELDS,
        ),
        413: privateRefusal('Un cuerpo muy largo.', `El cuerpo supera los ${MAX_BODY_BYTES} bytes`),
        415: privateRefusal('El cuerpo no es JSON.', sentence.NOT_JSON),
      }),
      ...gateRefusals(
        deployment,
        201 in success || 202 in success
          ? refusalText('webhook', 'admission_closed')
          : sentence.DAILY_BUDGET_SPENT,
        'La función está en preparación, se agotó la capacidad de envíos o la diaria, o la base de datos no responde.',
      ),
    }
  }
  return { ...operation, key: true, answers }
}

const VERSIONED = { schema: part.versionBody, example: { version: 1 } }
const EMPTY = { schema: part.emptyBody, example: {}, optional: true }

/** The example of an answer, with changed fields of the subscription in it. */
function changed(kind: SubscriptionKind, answer: z.ZodMiniType, changes: object) {
  const { [kind]: shown, ...others } = exampleOf(answer) as Record<string, object>
  return { [kind]: { ...shown, ...changes }, ...others }
}

/** The operations of a kind by action, in the sequence of the documents. */
export function managementOf<New extends NewSubscription, Edit extends Switch>(
  described: Described<New, Edit>,
) {
  const schemas = schemasOf(described)
  return { ...ofAll(described, schemas), ...ofOne(described, schemas) }
}

function ofAll<New extends NewSubscription>(
  described: Shown & { createBody: () => z.ZodMiniType<New> },
  schemas: ReturnType<typeof schemasOf>,
) {
  const { kind, descriptions } = described
  const words = WORDS[kind]
  const { plural, Name, infix } = words
  const path = `/api/v2/${plural}`
  return {
    list: managed({
      id: `list${Name}s`,
      method: 'get',
      path,
      summary: `Listar ${words.many}`,
      description: descriptions.list,
      ...(described.refusesQuery && { query: noQuery }),
      succeeds: () => ({
        200: privateJson(`L${words.end}s ${words.many} y el límite.`, schemas.list()),
      }),
    }),
    create: managed({
      id: `create${Name}`,
      method: 'post',
      path,
      summary: `Crear ${words.one}`,
      description: `${descriptions.create} Como máximo ${words.limit} por cuenta.`,
      body: { schema: described.createBody, example: described.creation },
      succeeds: () => ({
        200: privateJson('Ya existía con ese `operationId`.', schemas.reconciled()),
        201: privateJson(descriptions.created, schemas.issued()),
      }),
      conflict: () => refusalText(kind, 'limit_reached'),
    }),
    deliveries: managed({
      id: `list${infix}Deliveries`,
      method: 'get',
      path: `${path}/deliveries`,
      summary: `Listar entregas${kind === 'alert' ? ' de alertas' : ''}`,
      description: descriptions.deliveries,
      query: () => part.deliveriesQuery(`${kind}Id`, words.this),
      queryText: sentence.WRONG_QUERY,
      succeeds: () => ({ 200: privateJson('Una página.', schemas.deliveryPage()) }),
      notFound: () => ['El cursor es ajeno o ya no existe.', sentence.PAGE_NOT_FOUND],
    }),
  }
}

/** The common parts of the operations on one subscription. */
const one = ({ kind, exampleId }: Shown) => ({
  path: `/api/v2/${WORDS[kind].plural}/{id}`,
  params: part.uuidInPath('id', `El \`id\` ${WORDS[kind].of}, un UUID en minúsculas.`, exampleId),
})

function ofOne<Edit extends Switch>(
  described: Shown & { editBody: () => z.ZodMiniType<Edit> },
  schemas: ReturnType<typeof schemasOf>,
) {
  const { kind, descriptions } = described
  const words = WORDS[kind]
  const { Name, infix } = words
  const { path, params } = one(described)
  const notFound = (): [string, string] => [descriptions.gone, refusalText(kind, 'not_found')]
  const of = { path, params, notFound }
  const conflict = () => refusalText(kind, 'version_changed')
  return {
    read: managed({
      ...of,
      id: `read${Name}`,
      method: 'get',
      summary: `Leer ${words.one}`,
      description: descriptions.read,
      ...(described.refusesQuery && { query: noQuery }),
      succeeds: () => ({ 200: privateJson(`${words.The}.`, schemas.read()) }),
    }),
    edit: managed({
      ...of,
      id: `edit${Name}`,
      method: 'patch',
      summary: 'Editar, pausar o activar',
      description: descriptions.edit,
      body: { schema: described.editBody, example: { version: 1, ...described.edit } },
      succeeds: () => {
        const example = changed(kind, schemas.edited(), { ...described.edited, version: 2 })
        return { 200: privateJson(`${words.The} editad${words.end}.`, schemas.edited(), example) }
      },
      conflict,
    }),
    remove: managed({
      ...of,
      id: `delete${Name}`,
      method: 'delete',
      summary: `Borrar ${words.one}`,
      description: 'Borra su configuración, sus secretos y sus entregas.',
      body: VERSIONED,
      succeeds: () => ({ 200: privateJson(`Borrad${words.end}.`, schemas.deleted()) }),
      conflict,
    }),
    rotate: managed({
      ...of,
      id: `rotate${infix}Secret`,
      method: 'post',
      path: `${path}/rotate-secret`,
      summary: 'Rotar el secreto',
      description: 'El secreto nuevo firma desde el próximo intento. Con un envío en curso, 409.',
      body: VERSIONED,
      succeeds: () => {
        const example = changed(kind, schemas.rotated(), { version: 2 })
        return { 200: privateJson('El secreto nuevo, esta única vez.', schemas.rotated(), example) }
      },
      conflict: () => refusalText(kind, 'send_in_flight'),
    }),
    test: managed({
      ...of,
      id: `test${Name}`,
      method: 'post',
      path: `${path}/test`,
      summary: 'Enviar una prueba',
      description: descriptions.test,
      body: EMPTY,
      succeeds: () => ({ 202: privateJson('En cola.', described.schemas.testQueued()) }),
      conflict: () => refusalText(kind, 'quote_unavailable'),
    }),
  }
}

const redelivered = named('Redelivered', 'Lo que se reenvía.', () => ({
  redelivered: doc(wholeNumber(0, OPEN_REDELIVERIES), 'Cuántas salen otra vez.', 24),
  remaining: doc(wholeNumber(0), 'Cuántas siguen sin llegar: se piden con otra llamada.', 0),
}))

const redeliveryQueued = named('RedeliveryQueued', 'El reenvío quedó en cola.', part.queuedFields)

/** The redeliveries of a kind. */
export function redeliveriesOf(described: Shown) {
  const { kind } = described
  const { plural, Name } = WORDS[kind]
  const { path, params } = one(described)
  return {
    redeliver: managed({
      id: `redeliver${Name}Delivery`,
      method: 'post',
      path: `/api/v2/${plural}/deliveries/{deliveryId}/redeliver`,
      summary: 'Reenviar una entrega',
      description:
        'Una entrega que terminó y todavía se conserva sale otra vez: el mismo identificador, los mismos bytes, hasta cuatro intentos más, que `attempts` cuenta desde cero. Va a la URL de ahora, sin esperar a otras, y no cuenta para la pausa. 409 si no terminó o si hay que activar antes.',
      params: part.uuidInPath('deliveryId', 'El `deliveryId` de la entrega.', part.DELIVERY_ID),
      body: EMPTY,
      succeeds: () => ({ 202: privateJson('En cola.', redeliveryQueued()) }),
      notFound: () => ['No existe, venció o es ajena.', refusalText(kind, 'delivery_not_found')],
      conflict: () => refusalText(kind, 'delivery_open'),
    }),
    redeliverSince: managed({
      id: `redeliver${Name}`,
      method: 'post',
      path: `${path}/redeliver`,
      summary: 'Reenviar lo que no llegó',
      description: `Las entregas ${WORDS[kind].of} que desde ese momento terminaron sin llegar (\`dead\` y \`cancelled\`, sin las pruebas) salen otra vez, de la más vieja a la más nueva y de a una, hasta ${OPEN_REDELIVERIES} por llamada. Pueden llegar después de un valor más nuevo: \`updatedAt\` lo dice. No demoran lo nuevo ni cuentan para la pausa; una pausa las cancela. Los cambios que ocurren durante una pausa no tienen entrega: se leen con \`GET /api/v2/{currency}/{origin}/history?from=…\`. 503 si ya hay ${OPEN_REDELIVERIES} esperando.`,
      params,
      body: { schema: part.sinceBody, example: { since: '2026-03-02T12:00:00.000Z' } },
      succeeds: () => ({ 202: privateJson('En cola.', redelivered()) }),
      notFound: () => ['No existe o es de otra cuenta.', refusalText(kind, 'not_found')],
      conflict: () => refusalText(kind, 'paused'),
    }),
  }
}
