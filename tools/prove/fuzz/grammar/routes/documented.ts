import * as fc from 'fast-check'
import { currentDocuments } from '../../../../maintain/openapi/released.ts'
import { operationsOf } from '../../../../../workers/site/reference/openapi.ts'
import { examplesOf, validOf, type Values } from '../../openapi/cases.ts'
import type { Described } from '../../openapi/described.ts'
import type { Header } from '../../request.ts'
import { escapeText } from '../nasty.ts'
import { route, type Draft, type Route } from '../route.ts'
import { currency, day, pairPath, time } from '../values.ts'
import { weighted } from '../weighted.ts'

/** Refusals that a good request never gets. */
const REFUSALS = [401, 405, 413, 415]
const BAD_REQUEST = 400

const pairs = fc.array(pairPath, { minLength: 1, maxLength: 19 }).map((pairs) => pairs.join(','))

/** Values of parameters that the running service has, whatever their schema and example. */
const KNOWN = {
  currency,
  pair: pairPath,
  pairs,
  day,
  time,
  operationId: fc.constantFrom('{{uuid}}', '{{uuid}}', '{{uuid}}', '{{operation}}'),
}
type Known = { [Name in keyof typeof KNOWN]: string }

const headers = weighted<readonly Header[]>(
  [4, fc.constant([])],
  [1, fc.constant([['If-None-Match', '*'] as const])],
  [1, fc.constant([['Range', 'bytes=0-99'] as const])],
  ...['application/json', 'text/html,*/*;q=0.8', 'text/csv'].map(
    (value) => [1, fc.constant([['Accept', value] as const])] as const,
  ),
)

/**
 * Every operation of the OpenAPI documents. Half of its good requests are its examples; the others
 * have values that its schemas take, which may not go together: these may be answered with 400.
 */
export const documentedRoutes: Route[] = currentDocuments(true).flatMap((document) =>
  operationsOf(document).map((operation) => routeOf({ ...operation, document })),
)

function routeOf(described: Described): Route {
  const { method, path, operation } = described
  const { operationId, security = [], responses } = operation
  const declared = Object.keys(responses).map(Number)
  const accepts = declared.filter((status) => !REFUSALS.includes(status))
  // An edit may not fit what another request made of the alert.
  const isEditOfAlert = method === 'PATCH' && path.startsWith('/api/v2/alerts')
  const ofExamples = accepts.filter((status) => isEditOfAlert || status !== BAD_REQUEST)
  const examples: Values = {
    parameters: examplesOf(operation.parameters ?? []),
    body: operation.requestBody?.content['application/json']?.example,
  }
  const values = fc.oneof(
    fc.constant({ ...examples, accepts: ofExamples }),
    validOf(described).map((values) => ({ ...values, accepts })),
  )
  const draft = fc
    .record({ values, known: fc.record(KNOWN), headers })
    .map(({ values, known, headers }) => ({
      ...draftOf(described, values, known),
      headers,
      accepts: values.accepts,
    }))
  const needs = security.length > 0 ? { needs: 'key' as const } : {}
  return route(`${method} ${path} ${operationId}`, { ...needs, accepts, weight: 5 }, draft)
}

/** The request of an operation, with what the running service has in place of the examples' ids. */
function draftOf(
  { path, operation }: Described,
  { parameters, body }: Values,
  known: Known,
): Draft {
  const isOfAlerts = path.startsWith('/api/v2/alerts')
  const [currencyOfPair = '', origin = ''] = known.pair.split('/')
  const tokens: Record<string, string> = {
    id: isOfAlerts ? '{{alert}}' : '{{webhook}}',
    webhookId: '{{webhook}}',
    alertId: '{{alert}}',
    deliveryId: '{{delivery}}',
    cursor: '{{cursor}}',
    date: known.day,
    time: known.time,
    pairs: known.pairs,
    ...(path.includes('{origin}')
      ? { currency: currencyOfPair, origin }
      : !path.includes('invoicing') && { currency: known.currency }),
  }
  let target = path
  const query: string[] = []
  for (const { name, in: place } of operation.parameters ?? []) {
    if (parameters[name] === undefined) continue
    const value = escapeText(tokens[name] ?? parameters[name])
    if (place === 'path') target = target.replace(`{${name}}`, value)
    else if (place === 'query') query.push(`${name}=${value}`)
  }
  const fields = body as Record<string, unknown> | undefined
  return {
    target: query.length === 0 ? target : `${target}?${query.join('&')}`,
    json: fields && {
      ...fields,
      ...('version' in fields && { version: isOfAlerts ? '{{#alertVersion}}' : '{{#version}}' }),
      ...('operationId' in fields && {
        // The one before is of a webhook.
        operationId: isOfAlerts ? '{{uuid}}' : known.operationId,
      }),
    },
  }
}
