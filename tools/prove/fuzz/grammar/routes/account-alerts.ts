import * as fc from 'fast-check'
import { pairKey } from '../../../../../shared/market/catalog.ts'
import type { Route } from '../route.ts'
import { pair, receiverUrl } from '../values.ts'
import { form, page, shown, weighing } from './account.ts'

const ALL = '/cuenta/alertas'
const ALERT = '{{alert}}'

const side = fc.constantFrom('sell', 'buy')

const fields = fc
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

const creation = fields.map((fields) => ({ ...fields, operacion: '{{uuid}}' }))
const change = fields.map((fields) => ({ ...fields, version: '{{alertVersion}}' }))
const version = fc.constant({ version: '{{alertVersion}}' })

/** `/cuenta/alertas`: the alerts of the signed-in account. Two pairs of a gap may not go together. */
export const accountAlertRoutes: Route[] = [
  shown(`GET ${ALL}`, page(200)),
  form(`POST ${ALL}`, weighing(4, page(200, 303, 400, 409, 503)), creation),
  shown(`GET ${ALL}/{id}`, weighing(3, page(200, 404)), ALERT),
  ...['pausar', 'activar'].map((verb) =>
    form(`POST ${ALL}/{id}/${verb}`, page(303, 404, 409, 503), version, ALERT),
  ),
  form(`POST ${ALL}/{id}/probar`, page(303, 404, 409, 503), fc.constant({}), ALERT),
  ...['editar', 'rotar', 'borrar'].map((verb) =>
    shown(`GET ${ALL}/{id}/${verb}`, page(200, 404), ALERT),
  ),
  form(`POST ${ALL}/{id}/editar`, page(303, 400, 404, 409), change, ALERT),
  form(`POST ${ALL}/{id}/rotar`, page(200, 404, 409), version, ALERT),
  form(`POST ${ALL}/{id}/borrar`, page(303, 404, 409), version, ALERT),
]
