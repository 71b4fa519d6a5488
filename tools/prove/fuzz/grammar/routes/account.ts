import * as fc from 'fast-check'
import { pairKey } from '../../../../../shared/market/catalog.ts'
import { route, type Draft, type Route, type RouteOptions } from '../route.ts'
import { credential, keyName, pair, query, receiverUrl } from '../values.ts'

/** A session may have ended by a sign-out or a deletion that came before. */
const API_ENDED = 401
const PAGE_ENDED = 303

const session = { needs: 'session' } as const
const api = (...accepts: number[]) => ({ ...session, accepts: [...accepts, API_ENDED] })
const page = (...accepts: number[]) => ({ ...session, accepts: [...accepts, PAGE_ENDED] })
const open = (...accepts: number[]) => ({ accepts })
const weighing = <Options>(weight: number, options: Options) => ({ ...options, weight })

type Fields = fc.Arbitrary<Record<string, string>>
const NO_FIELDS: Fields = fc.constant({})

const only = (target: string): fc.Arbitrary<Draft> => fc.constant({ target })
const json = (target: string, json: fc.Arbitrary<unknown>): fc.Arbitrary<Draft> =>
  json.map((json) => ({ target, json }))
/** A form of a page: it is posted to the path of its label, `{id}` filled in. */
const form = (label: string, options: RouteOptions, fields = NO_FIELDS, id = WEBHOOK): Route => {
  const target = label.slice('POST '.length).replace('{id}', id)
  const draft = fields.map((fields) => ({ target, form: { token: '{{form}}', ...fields } }))
  return route(label, options, draft)
}
/** A page without a form, at the path of its label. */
const shown = (label: string, options: RouteOptions, id = WEBHOOK): Route =>
  route(label, options, only(label.slice('GET '.length).replace('{id}', id)))

const KEY = '{{keyId}}'
const WEBHOOK = '{{webhook}}'
/** Deleting is final, so most requests give a wrong address. */
const address = (name: string) =>
  fc
    .constantFrom('{{email}}', 'otra@example.invalid', 'otra@example.invalid', '')
    .map((email) => ({ [name]: email }))

const notice = query({ aviso: fc.constantFrom('revocada', 'salida', 'ya-no-existe', 'otro') })
const prueba = query({ prueba: fc.constant('{{delivery}}') })
const callback = query({ code: fc.constant('0123456789abcdef'), state: fc.constant('{{uuid}}') })

const fields: Fields = fc
  .record(
    { par: pair, url: receiverUrl, autorizacion: credential },
    { requiredKeys: ['par', 'url'] },
  )
  .map(({ par, ...rest }) => ({ par: pairKey(par), ...rest }))
const named = (name: string): Fields => keyName.map((value) => ({ [name]: value }))

const KEYS = '/api/account/keys'

/** `/api/account`: keys and the account in JSON, by session. */
export const accountApiRoutes: Route[] = [
  shown('GET /api/account', api(200)),
  route('DELETE /api/account', weighing(1, api(200, 400)), json('/api/account', address('email'))),
  shown(`GET ${KEYS}`, api(200)),
  route(`POST ${KEYS}`, weighing(3, api(201, 409)), json(KEYS, named('name'))),
  route(
    `POST ${KEYS}/{id}/rotate`,
    api(200, 404, 409),
    json(`${KEYS}/${KEY}/rotate`, fc.constant({ prefix: '{{prefix}}' })),
  ),
  route(`DELETE ${KEYS}/{id}`, api(200, 404), only(`${KEYS}/${KEY}`)),
  route(
    'GET /api/auth/callback/github',
    weighing(1, open(302, 303)),
    callback.map((query) => ({ target: `/api/auth/callback/github${query}` })),
  ),
]

const SIGNING_IN: Fields = fc.constant({ email: 'fuzz-{{uuid}}@example.invalid' })

/** `/cuenta`: what people do, in pages and forms. */
export const accountPageRoutes: Route[] = [
  route(
    'GET /cuenta',
    page(200),
    notice.map((query) => ({ target: `/cuenta${query}` })),
  ),
  shown('GET /cuenta/entrar', open(200)),
  form('POST /cuenta/entrar', weighing(1, open(200, 429)), SIGNING_IN),
  form('POST /cuenta/entrar/github', weighing(1, open(303))),
  route('GET /cuenta/enlace', open(410), only('/cuenta/enlace?token={{uuid}}')),
  form('POST /cuenta/enlace', weighing(1, open(410)), fc.constant({ enlace: '{{uuid}}' })),
  form('POST /cuenta/claves', weighing(3, page(200, 409)), named('nombre')),
  shown('GET /cuenta/claves/{id}/rotar', page(200, 404), KEY),
  form(
    'POST /cuenta/claves/{id}/rotar',
    page(200, 404, 409),
    fc.constant({ prefijo: '{{prefix}}' }),
    KEY,
  ),
  shown('GET /cuenta/claves/{id}/revocar', page(200, 404), KEY),
  form('POST /cuenta/claves/{id}/revocar', page(303), NO_FIELDS, KEY),
  shown('GET /cuenta/borrar', page(200)),
  form('POST /cuenta/borrar', weighing(1, page(303, 400)), address('correo')),
  form('POST /cuenta/salir', weighing(1, page(303))),
]

interface Managed {
  /** The page of all of them, and the tokens of one and of its version. */
  all: string
  id: string
  version: string
  /** What creates one, or is changed. */
  fields: Fields
  /** What a creation and a change may be answered with beside the usual. */
  accepts: number[]
}

/** The pages and forms of what an account makes, edits, pauses, tests and deletes. */
function managedPages({ all, id, version, fields, accepts }: Managed): Route[] {
  const versioned = fc.constant({ version })
  const creation = fields.map((fields) => ({ ...fields, operacion: '{{uuid}}' }))
  const change = fields.map((fields) => ({ ...fields, version }))
  return [
    shown(`GET ${all}`, page(200)),
    form(`POST ${all}`, weighing(4, page(200, 409, 503, ...accepts)), creation),
    ...['pausar', 'activar'].map((verb) =>
      form(`POST ${all}/{id}/${verb}`, page(303, 404, 409, 503), versioned, id),
    ),
    form(`POST ${all}/{id}/probar`, page(303, 404, 409, 503), NO_FIELDS, id),
    ...['editar', 'rotar', 'borrar'].map((verb) =>
      shown(`GET ${all}/{id}/${verb}`, page(200, 404), id),
    ),
    form(`POST ${all}/{id}/editar`, page(303, 404, 409, ...accepts), change, id),
    form(`POST ${all}/{id}/rotar`, page(200, 404, 409), versioned, id),
    form(`POST ${all}/{id}/borrar`, page(303, 404, 409), versioned, id),
  ]
}

const ALL = '/cuenta/webhooks'
const missedSince = fc.constantFrom('1', '168', '', 'x').map((desde) => ({ desde }))

/** `/cuenta/webhooks`: the webhooks of the signed-in account. */
export const accountWebhookRoutes: Route[] = [
  ...managedPages({ all: ALL, id: WEBHOOK, version: '{{version}}', fields, accepts: [] }),
  route(
    `GET ${ALL}/{id}`,
    weighing(3, page(200, 404)),
    prueba.map((query) => ({ target: `${ALL}/${WEBHOOK}${query}` })),
  ),
  form(`POST ${ALL}/{id}/reenviar`, page(303, 404, 409, 503), missedSince),
  form(`POST ${ALL}/{id}/entregas/{{delivery}}/reenviar`, page(303, 404, 409, 503)),
]

const ALERTS = '/cuenta/alertas'
const ALERT = '{{alert}}'
const side = fc.constantFrom('sell', 'buy')
const alertFields: Fields = fc
  .record({
    par: pair.map(pairKey),
    lado: side,
    condicion: fc.constantFrom('above', 'below', 'change', 'gap'),
    umbral: fc.integer({ min: 1, max: 900 }).map(String),
    contra: pair.map(pairKey),
    contra_lado: side,
    repetir: fc.option(fc.constant('si')),
    histeresis: fc.constantFrom('', '0'),
    receiver: fc.oneof(
      fc.constant({ canal: 'email', url: '' }),
      receiverUrl.map((url) => ({ canal: 'webhook', url })),
    ),
  })
  .map(({ receiver, repetir, ...rest }) => ({
    ...rest,
    ...receiver,
    ...(repetir === null ? {} : { repetir }),
  }))

/** `/cuenta/alertas`: the alerts of the signed-in account. Two pairs of a gap may not go together. */
export const accountAlertRoutes: Route[] = [
  ...managedPages({
    all: ALERTS,
    id: ALERT,
    version: '{{alertVersion}}',
    fields: alertFields,
    accepts: [303, 400],
  }),
  shown(`GET ${ALERTS}/{id}`, weighing(3, page(200, 404)), ALERT),
]
