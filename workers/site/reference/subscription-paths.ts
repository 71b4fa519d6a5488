/** The management of webhooks and of alerts: the same operations, each kind in its words. */
import type * as z from 'zod'
import {
  NO_PARAMETERS,
  PAGE_NOT_FOUND,
  SEND_IN_FLIGHT,
  WRONG_QUERY,
} from '../../../shared/sentences.ts'
import type { SubscriptionKind } from '../../../shared/webhooks/webhook.ts'
import { emptyBody, versionBody } from '../../../shared/subscriptions/webhook-bodies.ts'
import { privateJson, privateRefusal, ref } from './responses.ts'
import * as examples from './examples.ts'
import { AUTHORIZATION, deliveryParameters, idInPath, managed, VERSION } from './managed.ts'
import type { ApiResponse, Operation, PathItem } from './openapi.ts'
import { toBody } from './to-schemas.ts'

/** How the reference describes a kind. */
export interface Spoken {
  kind: SubscriptionKind
  plural: 'webhooks' | 'alerts'
  limit: number
  tag: string
  deliveriesTag: string
  /** The name in operations and schemas. `infix` is for those that do not name webhooks. */
  Name: 'Webhook' | 'Alert'
  infix: '' | 'Alert'
  /** The schema of a rotation's answer. */
  rotated: string
  words: { many: string; one: string; The: string; of: string; end: 'o' | 'a'; created: string }
  summaryOfDeliveries: string
  /** The descriptions of the operations. */
  descriptions: Record<'list' | 'create' | 'deliveries' | 'read' | 'edit' | 'test', string>
  /** Whether its reads refuse every parameter. */
  refusesQuery: boolean
  bodies: { createBody: z.core.$ZodType; editBody: z.core.$ZodType }
  deliveriesQuery: z.core.$ZodType
  /** The descriptions of the fields of both bodies, and of the parameter that names one. */
  fields: Readonly<Record<string, string>>
  filter: Readonly<Record<string, string>>
  notFound: ApiResponse
  /** One as it is shown, one to create, an edit and what it changes, and a delivery of it. */
  example: { id: string }
  creation: object
  edit: object
  edited: object
  delivery: { deliveryId: string }
}

export function subscriptionPaths(spoken: Spoken): Record<string, PathItem> {
  const path = `/api/v2/${spoken.plural}`
  return {
    [path]: listAndCreate(spoken),
    [`${path}/deliveries`]: { get: deliveries(spoken) },
    [`${path}/{id}`]: readEditAndDelete(spoken),
    [`${path}/{id}/rotate-secret`]: { post: rotate(spoken) },
    [`${path}/{id}/test`]: { post: test(spoken) },
  }
}

const NO_MORE = { refusesQuery: NO_PARAMETERS }
const VERSIONED = { body: toBody(versionBody, { version: VERSION }), example: { version: 1 } }

function listAndCreate(spoken: Spoken): PathItem {
  const { kind, plural, limit, tag, Name, words, descriptions, example } = spoken
  return {
    get: managed(`list${Name}s`, `Listar ${words.many}`, {
      tag,
      description: descriptions.list,
      ...(spoken.refusesQuery && NO_MORE),
      ok: privateJson(`L${words.end}s ${words.many} y el límite.`, ref(`${Name}List`), {
        [plural]: [example],
        limit,
      }),
    }),
    post: managed(`create${Name}`, `Crear ${words.one}`, {
      tag,
      description: `${descriptions.create} Como máximo ${limit} por cuenta.`,
      body: toBody(spoken.bodies.createBody, {
        ...spoken.fields,
        operationId: 'UUID nuevo por cada creación.',
        receiverAuthorization: AUTHORIZATION,
      }),
      example: spoken.creation,
      created: privateJson(words.created, ref(`${Name}Issued`), {
        [kind]: example,
        ...examples.secret,
        reconciled: false,
      }),
      ok: privateJson('Ya existía con ese `operationId`.', ref(`${Name}Reconciled`), {
        [kind]: example,
        reconciled: true,
      }),
      conflict: `La cuenta llegó al límite de ${limit} ${words.many}`,
    }),
  }
}

function deliveries({ infix, deliveriesTag, descriptions, ...spoken }: Spoken): Operation {
  return managed(`list${infix}Deliveries`, spoken.summaryOfDeliveries, {
    tag: deliveriesTag,
    description: descriptions.deliveries,
    parameters: deliveryParameters(spoken.deliveriesQuery, spoken.filter),
    refusesQuery: WRONG_QUERY,
    ok: privateJson('Una página.', ref(`${infix}DeliveryPage`), {
      deliveries: [spoken.delivery],
      nextCursor: 'v1:42',
    }),
    notFound: privateRefusal('El cursor es ajeno o ya no existe.', PAGE_NOT_FOUND),
  })
}

/** What the operations of one have in common. */
const ofOne = ({ tag, words, example, notFound }: Spoken) => ({
  tag,
  parameters: [idInPath(words.of, example.id)],
  notFound,
})

const shown = ({ kind, example }: Spoken, changes: object) => ({
  [kind]: { ...example, ...changes },
})

function readEditAndDelete(spoken: Spoken): PathItem {
  const { Name, words, descriptions } = spoken
  const conflict = `${words.The} cambió: su versión ya no es la indicada`
  return {
    get: managed(`read${Name}`, `Leer ${words.one}`, {
      ...ofOne(spoken),
      ...(spoken.refusesQuery && NO_MORE),
      description: descriptions.read,
      ok: privateJson(`${words.The}.`, ref(`${Name}Read`), shown(spoken, { url: examples.url })),
    }),
    patch: managed(`edit${Name}`, 'Editar, pausar o activar', {
      ...ofOne(spoken),
      description: descriptions.edit,
      body: toBody(spoken.bodies.editBody, {
        ...spoken.fields,
        version: VERSION,
        receiverAuthorization: `${AUTHORIZATION} \`null\` la quita.`,
      }),
      example: { version: 1, ...spoken.edit },
      ok: privateJson(`${words.The} editad${words.end}.`, ref(`${Name}Edited`), {
        ...shown(spoken, { ...spoken.edited, version: 2 }),
        reconciled: false,
      }),
      conflict,
    }),
    delete: managed(`delete${Name}`, `Borrar ${words.one}`, {
      ...ofOne(spoken),
      ...VERSIONED,
      description: 'Borra su configuración, sus secretos y sus entregas.',
      ok: privateJson(`Borrad${words.end}.`, ref(`${Name}Deleted`), { deleted: true }),
      conflict,
    }),
  }
}

function rotate(spoken: Spoken): Operation {
  return managed(`rotate${spoken.infix}Secret`, 'Rotar el secreto', {
    ...ofOne(spoken),
    ...VERSIONED,
    description: 'El secreto nuevo firma desde el próximo intento. Con un envío en curso, 409.',
    ok: privateJson('El secreto nuevo, esta única vez.', ref(spoken.rotated), {
      ...shown(spoken, { version: 2 }),
      ...examples.secret,
      reconciled: false,
    }),
    conflict: SEND_IN_FLIGHT,
  })
}

function test(spoken: Spoken): Operation {
  const { Name, infix, descriptions, delivery } = spoken
  return managed(`test${Name}`, 'Enviar una prueba', {
    ...ofOne(spoken),
    description: descriptions.test,
    body: toBody(emptyBody, {}),
    bodyOptional: true,
    example: {},
    accepted: privateJson('En cola.', ref(`${infix}TestQueued`), {
      id: 42,
      deliveryId: delivery.deliveryId,
      status: 'pending',
    }),
    conflict: 'quote_unavailable',
  })
}
