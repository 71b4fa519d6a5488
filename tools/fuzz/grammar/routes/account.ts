import * as fc from 'fast-check'
import { pairKey } from '../../../../shared/market/catalog.ts'
import { route, type Draft, type Route } from '../route.ts'
import { credential, keyName, pair, query, receiverUrl } from '../values.ts'

/** A session may have ended by a sign-out or a deletion that came before. */
const API_ENDED = 401
const PAGE_ENDED = 303

const session = { needs: 'session' } as const
const api = (...accepts: number[]) => ({ ...session, accepts: [...accepts, API_ENDED] })
const page = (...accepts: number[]) => ({ ...session, accepts: [...accepts, PAGE_ENDED] })

const only = (target: string): fc.Arbitrary<Draft> => fc.constant({ target })
const json = (target: string, json: fc.Arbitrary<unknown>): fc.Arbitrary<Draft> =>
  json.map((json) => ({ target, json }))
const form = (
  target: string,
  fields: fc.Arbitrary<Record<string, string>> = fc.constant({}),
): fc.Arbitrary<Draft> =>
  fields.map((fields) => ({ target, form: { token: '{{form}}', ...fields } }))

const KEY = '{{keyId}}'
const prefix = fc.constant({ prefix: '{{prefix}}' })
/** Deleting is final: most say the wrong address. */
const address = (name: string) =>
  fc
    .constantFrom('{{email}}', 'otra@example.invalid', 'otra@example.invalid', '')
    .map((email) => ({ [name]: email }))

const notice = query({ aviso: fc.constantFrom('revocada', 'salida', 'ya-no-existe', 'otro') })

const ONE = '/cuenta/webhooks/{{webhook}}'
const version = fc.constant({ version: '{{version}}' })
const fields = fc
  .record(
    { par: pair, url: receiverUrl, autorizacion: credential },
    { requiredKeys: ['par', 'url'] },
  )
  .map(({ par, ...rest }) => ({ par: pairKey(par), ...rest }))

/** `/api/account`: keys and the account in JSON, by session. */
export const accountApiRoutes: Route[] = [
  route('GET /api/account', api(200), only('/api/account')),
  route(
    'DELETE /api/account',
    { ...api(200, 400), weight: 1 },
    json('/api/account', address('email')),
  ),
  route('GET /api/account/keys', api(200), only('/api/account/keys')),
  route(
    'POST /api/account/keys',
    { ...api(201, 409), weight: 3 },
    json(
      '/api/account/keys',
      keyName.map((name) => ({ name })),
    ),
  ),
  route(
    'POST /api/account/keys/{id}/rotate',
    api(200, 404, 409),
    json(`/api/account/keys/${KEY}/rotate`, prefix),
  ),
  route('DELETE /api/account/keys/{id}', api(200, 404), only(`/api/account/keys/${KEY}`)),
  route(
    'GET /api/auth/callback/github',
    { accepts: [302, 303], weight: 1 },
    query({ code: fc.constant('0123456789abcdef'), state: fc.constant('{{uuid}}') }).map(
      (query) => ({ target: `/api/auth/callback/github${query}` }),
    ),
  ),
]

/** `/cuenta`: what people do, in pages and forms. */
export const accountPageRoutes: Route[] = [
  route(
    'GET /cuenta',
    page(200),
    notice.map((query) => ({ target: `/cuenta${query}` })),
  ),
  route('GET /cuenta/entrar', { accepts: [200] }, only('/cuenta/entrar')),
  route(
    'POST /cuenta/entrar',
    { accepts: [200, 429], weight: 1 },
    form('/cuenta/entrar', fc.constant({ email: 'fuzz-{{uuid}}@example.invalid' })),
  ),
  route('POST /cuenta/entrar/github', { accepts: [303], weight: 1 }, form('/cuenta/entrar/github')),
  route('GET /cuenta/enlace', { accepts: [410] }, only('/cuenta/enlace?token={{uuid}}')),
  route(
    'POST /cuenta/enlace',
    { accepts: [410], weight: 1 },
    form('/cuenta/enlace', fc.constant({ enlace: '{{uuid}}' })),
  ),
  route(
    'POST /cuenta/claves',
    { ...page(200, 409), weight: 3 },
    form(
      '/cuenta/claves',
      keyName.map((nombre) => ({ nombre })),
    ),
  ),
  route('GET /cuenta/claves/{id}/rotar', page(200, 404), only(`/cuenta/claves/${KEY}/rotar`)),
  route(
    'POST /cuenta/claves/{id}/rotar',
    page(200, 404, 409),
    form(`/cuenta/claves/${KEY}/rotar`, fc.constant({ prefijo: '{{prefix}}' })),
  ),
  route('GET /cuenta/claves/{id}/revocar', page(200, 404), only(`/cuenta/claves/${KEY}/revocar`)),
  route('POST /cuenta/claves/{id}/revocar', page(303), form(`/cuenta/claves/${KEY}/revocar`)),
  route('GET /cuenta/borrar', page(200), only('/cuenta/borrar')),
  route(
    'POST /cuenta/borrar',
    { ...page(303, 400), weight: 1 },
    form('/cuenta/borrar', address('correo')),
  ),
  route('POST /cuenta/salir', { ...page(303), weight: 1 }, form('/cuenta/salir')),
]

/** `/cuenta/webhooks`: the webhooks of the signed-in account. */
export const accountWebhookRoutes: Route[] = [
  route('GET /cuenta/webhooks', page(200), only('/cuenta/webhooks')),
  route(
    'POST /cuenta/webhooks',
    { ...page(200, 409, 503), weight: 4 },
    form(
      '/cuenta/webhooks',
      fields.map((fields) => ({ ...fields, operacion: '{{uuid}}' })),
    ),
  ),
  route(
    'GET /cuenta/webhooks/{id}',
    { ...page(200, 404), weight: 3 },
    query({ prueba: fc.constant('{{delivery}}') }).map((query) => ({
      target: ONE + query,
    })),
  ),
  ...['pausar', 'activar'].map((step) =>
    route(
      `POST /cuenta/webhooks/{id}/${step}`,
      page(303, 404, 409, 503),
      form(`${ONE}/${step}`, version),
    ),
  ),
  route('POST /cuenta/webhooks/{id}/probar', page(303, 404, 409, 503), form(`${ONE}/probar`)),
  ...['editar', 'rotar', 'borrar'].map((step) =>
    route(`GET /cuenta/webhooks/{id}/${step}`, page(200, 404), only(`${ONE}/${step}`)),
  ),
  route(
    'POST /cuenta/webhooks/{id}/editar',
    page(303, 404, 409),
    form(
      `${ONE}/editar`,
      fields.map((fields) => ({ ...fields, version: '{{version}}' })),
    ),
  ),
  route('POST /cuenta/webhooks/{id}/rotar', page(200, 404, 409), form(`${ONE}/rotar`, version)),
  route('POST /cuenta/webhooks/{id}/borrar', page(303, 404, 409), form(`${ONE}/borrar`, version)),
]
