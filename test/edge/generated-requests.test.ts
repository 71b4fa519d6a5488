/**
 * Requests made from the OpenAPI documents, with good and odd values: the service never fails,
 * answers as documented, and refuses what a schema refuses.
 */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import type { Parameter, Schema } from '../../workers/site/reference/openapi.ts'
import { buildFiles } from '../support/nightly-files.ts'
import { type Documented, expectDocumented, operations, validatorOf } from '../support/openapi.ts'
import { seedCloses, seedPoints } from '../support/points.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'
import { openClient } from '../support/account-client.ts'
import { aDeliveryId, NOW, insertDelivery } from '../support/webhooks.ts'

/** Runs per operation. */
const RUNS = 15

interface Generated {
  parameters: Record<string, unknown>
  body: unknown
}

/** A pair with history and files, and an account with a webhook or an alert and a delivery. */
async function openSeeded(path: string) {
  const kind = path.includes('alerts') ? 'alert' : 'webhook'
  await seedBoard(NOW, { quotes: [aBoardQuote('USD/BLUE')] })
  await seedPoints('usd/blue', ['2026-03-01 11:00', 1400, 1420], ['2026-03-02 11:55', 1410, 1430])
  await seedCloses('usd/blue', ['2026-02-28', 1410.5, 1430.25])
  if (!path.startsWith('/api/')) await buildFiles(NOW)
  const client = await openClient({ kind, env: { COMPATIBILITY: 'on' } })
  const { id } = await client.made()
  const deliveryId = aDeliveryId(NOW)
  await insertDelivery(id, { deliveryId, status: 'dead', attempts: 4 })
  return { client, known: { id, deliveryId, version: 1 } }
}

/** Values that callers send by mistake or on purpose; most schemas refuse most of them. */
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53,
  'x'.repeat(201),
  'a'.repeat(2049),
  'línea\n',
  '',
  ' Bearer x',
  [],
  {},
  ['https://receptor.example/'],
  ...'xyz 1e2 1. .5 1,5 1.12345 ١٠ 501 123456789012 9007199254740992 NaN null PENDING'.split(' '),
  ...'2026-02-30 2025-13-01 2023-02-29 +12025-01-01 0000-00-00 ２０２５-01-01 2025-1-01'.split(' '),
  ...'24:00 7:30 07:60 07:30Z usd usd/ usd/blue/x uſd/blue v1 v2:5 v1:5x'.split(' '),
  'AAAAAAAA-0000-4000-8000-000000000000',
]

const oddValue = fc.constantFrom(...ODD)

/** An existing value, an example, a value that the schema names, or an odd value. */
function valueOf(
  { name, schema, example }: Pick<Parameter, 'name' | 'schema' | 'example'>,
  known: Record<string, unknown>,
): fc.Arbitrary<unknown> {
  const { enum: named = [], minimum = [], maximum = [] } = schema as Record<string, unknown>
  const good = [known[name] ?? example, named, minimum, maximum].flat().filter((one) => one != null)
  if (good.length === 0) return oddValue
  return fc.oneof({ weight: 7, arbitrary: fc.constantFrom(...good) }, oddValue)
}

function requestsOf(operation: Documented, known: Record<string, unknown>) {
  const parameters = operation.parameters ?? []
  const media = operation.requestBody?.content['application/json']
  const fields = Object.entries((media?.schema['properties'] ?? {}) as Record<string, never>)
  const examples = (media?.example ?? {}) as Record<string, unknown>
  const values = (some: readonly Pick<Parameter, 'name' | 'schema' | 'example'>[]) =>
    Object.fromEntries(some.map((one) => [one.name, valueOf(one, known)]))
  const bodies = fc.record(
    values(fields.map(([name, schema]) => ({ name, schema, example: examples[name] }))),
    { requiredKeys: Object.keys(examples) },
  )
  return fc.record<Generated>({
    parameters: fc.record(values(parameters), {
      requiredKeys: parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name),
    }),
    body: media ? fc.oneof({ weight: 9, arbitrary: bodies }, oddValue) : fc.constant(undefined),
  })
}

function pathOf({ path, parameters = [] }: Documented, values: Generated['parameters']): string {
  const query = new URLSearchParams()
  let filled = path
  for (const { name, in: place } of parameters) {
    if (place === 'path')
      filled = filled.replace(`{${name}}`, encodeURIComponent(textOf(values[name]).trim() || 'x'))
    else if (place === 'query' && name in values) query.set(name, textOf(values[name]))
  }
  return query.size === 0 ? filled : `${filled}?${query}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether the schema refuses a value; the value of a parameter arrives as text. */
function isRefused({ document }: Documented, schema: Schema, value: unknown, isText = false) {
  const text = isText ? textOf(value) : value
  const isNumber = isText && schema['type'] === 'integer' && /^-?\d+$/.test(textOf(value))
  return !validatorOf(schema, document).validate(isNumber ? Number(text) : text).valid
}

/** Covered by other tests: a stream's answer has no end, and readiness is 503 with an old board. */
const ELSEWHERE = ['streamQuotes', 'readReadiness']
const tried = operations.filter(({ operationId }) => !ELSEWHERE.includes(operationId))

it.each(tried)('$operationId answers any request as documented', async (operation) => {
  const { client, known } = await openSeeded(operation.path)

  await fc.assert(
    fc.asyncProperty(requestsOf(operation, known), async (generated) => {
      client.clock.now += MINUTE_MS
      const body = generated.body === undefined ? {} : { body: JSON.stringify(generated.body) }
      const headers = { 'Content-Type': 'application/json' }
      const path = pathOf(operation, generated.parameters)
      const answer = await client.send(operation.method, path, { ...body, headers })
      expect(answer.status, path).toBeLessThan(500)
      const response = new Response(answer.text || null, answer)
      await expectDocumented(operation, response, answer.status)
    }),
    { numRuns: RUNS },
  )
})

/** Good requests with one part that the schemas refuse: a parameter, a field, or the whole body. */
function wrongRequests(operation: Documented, known: Record<string, unknown>): Generated[] {
  const { parameters = [], requestBody } = operation
  const good = Object.fromEntries(
    parameters
      .filter(({ required }) => required)
      .map(({ name, example }) => [name, known[name] ?? example]),
  )
  const ofParameters = parameters.filter(isTried).flatMap(({ name, schema }) => {
    const wrong = ODD.filter((odd) => isRefused(operation, schema, odd, true))
    return wrong.map((odd) => ({ parameters: { ...good, [name]: odd }, body: undefined }))
  })
  const { schema, example } = requestBody?.content['application/json'] ?? {}
  if (!schema) return ofParameters

  const body = example as object
  const fields = Object.keys(schema['properties'] as object)
  const bodies = [
    ...ODD,
    { ...body, otro: 1 },
    ...fields.flatMap((name) => [undefined, ...ODD].map((odd) => ({ ...body, [name]: odd }))),
  ].map((one) => JSON.parse(JSON.stringify(one)))
  const wrong = bodies.filter((one) => isRefused(operation, schema, one))
  return [...ofParameters, ...wrong.map((one) => ({ parameters: good, body: one }))]
}

/** The router refuses the other parameters of paths. */
const isTried = ({ in: place, name }: Parameter) => place === 'query' || name === 'date'

it.each(tried.filter((one) => one.requestBody || one.parameters?.some(isTried)))(
  '$operationId refuses what its schemas refuse',
  async (operation) => {
    const { client, known } = await openSeeded(operation.path)
    for (const { parameters, body } of wrongRequests(operation, known)) {
      client.clock.now += MINUTE_MS
      const path = pathOf(operation, parameters)
      const { status } = await client.call(operation.method, path, body)
      expect([400, 404], `${status} to ${path} ${JSON.stringify(body)}`).toContain(status)
    }
  },
)
