import * as fc from 'fast-check'
import { pairKey } from '../../../../../shared/market/catalog.ts'
import { route, type Draft, type Route, type RouteOptions } from '../route.ts'
import { credential, keyName, pair, query, receiverUrl } from '../values.ts'

/** A session may have ended by a sign-out or a deletion that came before. */
const API_ENDED = 401
const PAGE_ENDED = 303

const session = { needs: 'session' } as const
const api = (...accepts: number[]) => ({ ...session, accepts: [...accepts, API_ENDED] })
export const page = (...accepts: number[]) => ({ ...session, accepts: [...accepts, PAGE_ENDED] })
const open = (...accepts: number[]) => ({ accepts })
export const weighing = <Options>(weight: number, options: Options) => ({ ...options, weight })

type Fields = fc.Arbitrary<Record<string, string>>
const NO_FIELDS: Fields = fc.constant({})

const only = (target: string): fc.Arbitrary<Draft> => fc.constant({ target })
const json = (target: string, json: fc.Arbitrary<unknown>): fc.Arbitrary<Draft> =>
  json.map((json) => ({ target, json }))
/** A form of a page: it is posted to the path of its label, `{id}` filled in. */
export const form = (
  label: string,
  options: RouteOptions,
  fields = NO_FIELDS,
  id = WEBHOOK,
): Route => {
  const target = label.slice('POST '.length).replace('{id}', id)
  const draft = fields.map((fields) => ({ target, form: { token: '{{form}}', ...fields } }))
  return route(label, options, draft)
}
/** A page without a form, at the path of its label. */
export const shown = (label: string, options: RouteOptions, id = WEBHOOK): Route =>
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

const version: Fields = fc.constant({ version: '{{version}}' })
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

const ALL = '/cuenta/webhooks'
const creation = fields.map((fields) => ({ ...fields, operacion: '{{uuid}}' }))
const missedSince = fc.constantFrom('1', '168', '', 'x').map((desde) => ({ desde }))
const change = fields.map((fields) => ({ ...fields, version: '{{version}}' }))

/** `/cuenta/webhooks`: the webhooks of the signed-in account. */
export const accountWebhookRoutes: Route[] = [
  shown(`GET ${ALL}`, page(200)),
  form(`POST ${ALL}`, weighing(4, page(200, 409, 503)), creation),
  route(
    `GET ${ALL}/{id}`,
    weighing(3, page(200, 404)),
    prueba.map((query) => ({ target: `${ALL}/${WEBHOOK}${query}` })),
  ),
  ...['pausar', 'activar'].map((verb) =>
    form(`POST ${ALL}/{id}/${verb}`, page(303, 404, 409, 503), version),
  ),
  form(`POST ${ALL}/{id}/probar`, page(303, 404, 409, 503)),
  form(`POST ${ALL}/{id}/reenviar`, page(303, 404, 409, 503), missedSince),
  form(`POST ${ALL}/{id}/entregas/{{delivery}}/reenviar`, page(303, 404, 409, 503)),
  ...['editar', 'rotar', 'borrar'].map((verb) => shown(`GET ${ALL}/{id}/${verb}`, page(200, 404))),
  form(`POST ${ALL}/{id}/editar`, page(303, 404, 409), change),
  form(`POST ${ALL}/{id}/rotar`, page(200, 404, 409), version),
  form(`POST ${ALL}/{id}/borrar`, page(303, 404, 409), version),
]
