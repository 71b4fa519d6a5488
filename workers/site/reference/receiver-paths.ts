/** The management of webhooks and of alerts: the same operations, each kind in its words. */
import type * as z from 'zod'
import {
  NO_PARAMETERS,
  PAGE_NOT_FOUND,
  SEND_IN_FLIGHT,
  WRONG_QUERY,
} from '../../../shared/sentences.ts'
import type { ReceiverKind } from '../../../shared/webhooks/webhook.ts'
import { emptyBody, versionBody } from '../management/webhook-bodies.ts'
import { privateJson, privateRefusal, ref } from './answers.ts'
import * as examples from './examples.ts'
import { AUTHORIZATION, deliveryParameters, idInPath, managed, VERSION } from './managed.ts'
import type { ApiResponse, PathItem } from './openapi.ts'
import { toBody } from './to-schemas.ts'

/** How the reference speaks of a kind. */
export interface Spoken {
  kind: ReceiverKind
  plural: 'webhooks' | 'alerts'
  limit: number
  tag: string
  deliveriesTag: string
  /** In the names of operations and schemas, and where webhooks are not named. */
  Name: 'Webhook' | 'Alert'
  infix: '' | 'Alert'
  /** The schema of a rotation's answer. */
  rotated: string
  words: { many: string; one: string; The: string; of: string; end: 'o' | 'a'; created: string }
  summaryOfDeliveries: string
  /** What each operation says of itself. */
  descriptions: Record<'list' | 'create' | 'deliveries' | 'read' | 'edit' | 'test', string>
  /** Whether its reads refuse every parameter. */
  refusesQuery: boolean
  bodies: { createBody: z.core.$ZodType; editBody: z.core.$ZodType }
  deliveriesQuery: z.core.$ZodType
  /** What is said of the fields of both bodies, and of the parameter that names one. */
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

export function receiverPaths(spoken: Spoken): Record<string, PathItem> {
  const { kind, plural, Name, infix, words, descriptions, fields, notFound, example } = spoken
  const { many, one, The, end } = words
  const path = `/api/v2/${plural}`
  const of = { tag: spoken.tag, parameters: [idInPath(words.of, example.id)], notFound }
  const read = spoken.refusesQuery ? { refusesQuery: NO_PARAMETERS } : {}
  const versioned = { body: toBody(versionBody, { version: VERSION }), example: { version: 1 } }
  const conflict = `${The} cambió: su versión ya no es la indicada`
  const shown = (changes: object) => ({ [kind]: { ...example, ...changes } })

  return {
    [path]: {
      get: managed(`list${Name}s`, `Listar ${many}`, {
        tag: spoken.tag,
        description: descriptions.list,
        ...read,
        ok: privateJson(`L${end}s ${many} y el límite.`, ref(`${Name}List`), {
          [plural]: [example],
          limit: spoken.limit,
        }),
      }),
      post: managed(`create${Name}`, `Crear ${one}`, {
        tag: spoken.tag,
        description: `${descriptions.create} Como máximo ${spoken.limit} por cuenta.`,
        body: toBody(spoken.bodies.createBody, {
          ...fields,
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
        conflict: `La cuenta llegó al límite de ${spoken.limit} ${many}`,
      }),
    },
    [`${path}/deliveries`]: {
      get: managed(`list${infix}Deliveries`, spoken.summaryOfDeliveries, {
        tag: spoken.deliveriesTag,
        description: descriptions.deliveries,
        parameters: deliveryParameters(spoken.deliveriesQuery, spoken.filter),
        refusesQuery: WRONG_QUERY,
        ok: privateJson('Una página.', ref(`${infix}DeliveryPage`), {
          deliveries: [spoken.delivery],
          nextCursor: 'v1:42',
        }),
        notFound: privateRefusal('El cursor es ajeno o ya no existe.', PAGE_NOT_FOUND),
      }),
    },
    [`${path}/{id}`]: {
      get: managed(`read${Name}`, `Leer ${one}`, {
        ...of,
        ...read,
        description: descriptions.read,
        ok: privateJson(`${The}.`, ref(`${Name}Read`), shown({ url: examples.url })),
      }),
      patch: managed(`edit${Name}`, 'Editar, pausar o activar', {
        ...of,
        description: descriptions.edit,
        body: toBody(spoken.bodies.editBody, {
          ...fields,
          version: VERSION,
          receiverAuthorization: `${AUTHORIZATION} \`null\` la quita.`,
        }),
        example: { version: 1, ...spoken.edit },
        ok: privateJson(`${The} editad${end}.`, ref(`${Name}Edited`), {
          ...shown({ ...spoken.edited, version: 2 }),
          reconciled: false,
        }),
        conflict,
      }),
      delete: managed(`delete${Name}`, `Borrar ${one}`, {
        ...of,
        ...versioned,
        description: 'Borra su configuración, sus secretos y sus entregas.',
        ok: privateJson(`Borrad${end}.`, ref(`${Name}Deleted`), { deleted: true }),
        conflict,
      }),
    },
    [`${path}/{id}/rotate-secret`]: {
      post: managed(`rotate${infix}Secret`, 'Rotar el secreto', {
        ...of,
        ...versioned,
        description: 'El secreto nuevo firma desde el próximo intento. Con un envío en curso, 409.',
        ok: privateJson('El secreto nuevo, esta única vez.', ref(spoken.rotated), {
          ...shown({ version: 2 }),
          ...examples.secret,
          reconciled: false,
        }),
        conflict: SEND_IN_FLIGHT,
      }),
    },
    [`${path}/{id}/test`]: {
      post: managed(`test${Name}`, 'Enviar una prueba', {
        ...of,
        description: descriptions.test,
        body: toBody(emptyBody, {}),
        bodyOptional: true,
        example: {},
        accepted: privateJson('En cola.', ref(`${infix}TestQueued`), {
          id: 42,
          deliveryId: spoken.delivery.deliveryId,
          status: 'pending',
        }),
        conflict: 'quote_unavailable',
      }),
    },
  }
}
