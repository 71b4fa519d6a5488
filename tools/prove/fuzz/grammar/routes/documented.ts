import * as fc from 'fast-check'
import { currentDocuments } from '../../../../maintain/openapi/released.ts'
import { type Operation, operationsOf } from '../../../../../workers/site/reference/openapi.ts'
import { examplesOf, validOf, type Values, wrongOf } from '../../openapi/values.ts'
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

/**
 * Every operation of the OpenAPI documents: its examples, values that its schemas accept, which may
 * not go together, and values that they refuse. Each answer is as the operation declares it.
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
  const ofWrong = declared.filter((status) => status >= BAD_REQUEST)

  const wrong = wrongOf(described)
  const values = weighted<Values & { accepts: number[] }>(
    [4, fc.constant({ ...examplesOf(operation), accepts: ofExamples })],
    [4, validOf(operation).map((values) => ({ ...values, accepts }))],
    [
      wrong.length > 0 ? 2 : 0,
      fc
        .constantFrom(...wrong, { parameters: {} })
        .map((values) => ({ ...values, accepts: ofWrong })),
    ],
  )
  const draft = fc
    .record({ values, known: fc.record(KNOWN), headers: headersOf(operation) })
    .map(({ values, known, headers }) => ({
      ...draftOf(described, values, known),
      headers,
      accepts: values.accepts,
      operation: described,
    }))
  const needs = security.length > 0 ? { needs: 'key' as const } : {}
  return route(`${method} ${path} ${operationId}`, { ...needs, accepts, weight: 5 }, draft)
}

/** None mostly, or one that the operation declares an answer for. */
function headersOf({ responses }: Operation): fc.Arbitrary<readonly Header[]> {
  const some: Header[] = [
    ...('304' in responses ? [['If-None-Match', '*'] as const] : []),
    ...('206' in responses ? [['Range', 'bytes=0-99'] as const] : []),
    ...Object.keys(responses['200']?.content ?? {}).map((type) => ['Accept', type] as const),
  ]
  return weighted<readonly Header[]>(
    [3, fc.constant([])],
    [some.length > 0 ? 2 : 0, fc.constantFrom(...some.map((header) => [header]), [])],
  )
}

/** The request of an operation, with what the running service has in place of the examples. */
function draftOf(
  { path, operation }: Described,
  { parameters, body, wrong }: Values,
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
    const text = parameters[name]
    const value = escapeText(name === wrong ? text : (tokens[name] ?? text))
    if (place === 'path') target = target.replace(`{${name}}`, value)
    else if (place === 'query') query.push(`${name}=${value}`)
  }
  const example = examplesOf(operation).body as Record<string, unknown> | undefined
  const inBody: Record<string, string> = {
    version: isOfAlerts ? '{{#alertVersion}}' : '{{#version}}',
    // The one before is of a webhook.
    operationId: isOfAlerts ? '{{uuid}}' : known.operationId,
  }
  const json = isObject(body)
    ? mapValues(body, (name, value) => (value === example?.[name] && inBody[name]) || value)
    : body
  return { target: query.length === 0 ? target : `${target}?${query.join('&')}`, json }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapValues(
  object: Record<string, unknown>,
  map: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(name, value)]))
}
