/** Compares live answers with the OpenAPI documents that the site serves. */
import { afterAll, expect } from 'vitest'
import { Validator } from '@cfworker/json-schema'
import {
  type ApiResponse,
  type Document,
  operationsOf,
  type Schema,
} from '../../workers/site/reference/openapi.ts'
import { DOCUMENTS } from '../../workers/site/reference/documents.ts'
import { ORIGIN } from './site.ts'
import { aDeployment } from './deployment.ts'

export const operations = DOCUMENTS.flatMap(({ make }) => {
  const document = make(aDeployment(ORIGIN))
  return operationsOf(document).map(({ operation, ...where }) => ({
    ...where,
    ...operation,
    document,
  }))
})

export type Documented = (typeof operations)[number]

export const isPrivate = ({ security }: Documented) => security!.length > 0

/** Compares answers with their operations; at the end every declared status must have been seen. */
export function seeEveryAnswer(all: readonly Documented[]) {
  const seen = new Set<string>()
  const declared = all.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  )
  afterAll(() => expect(declared.filter((answer) => !seen.has(answer))).toEqual([]))
  return async (operation: Documented, response: Response, status: number) => {
    seen.add(await expectDocumented(operation, response, status))
  }
}

export function operationOf(id: string): Documented {
  const operation = operations.find(({ operationId }) => operationId === id)
  if (!operation) throw new Error(`no operation ${id}`)
  return operation
}

const VALUES = {
  currency: 'usd',
  origin: 'blue',
  date: '2026-03-02',
  name: 'cotizaciones.csv',
  casa: 'blue',
  moneda: 'eur',
  year: '2026',
  month: '03',
  day: '02',
}

/** The path of an operation with these values, `usd/blue` on 2026-03-02 unless they differ. */
export function pathOf(operation: Documented, values: Record<string, string> = {}): string {
  const all = { ...VALUES, ...values }
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = all[name as keyof typeof all]
    if (value === undefined) throw new Error(`no value for ${name}`)
    return value
  })
}

/** The path of an operation, and the query of its examples. */
export function addressOf(operation: Documented, values?: Record<string, string>): string {
  const query = new URLSearchParams()
  for (const { in: place, name, example } of operation.parameters ?? [])
    if (place === 'query' && example !== undefined) query.set(name, String(example))
  return pathOf(operation, values) + (query.size === 0 ? '' : `?${query}`)
}

/** Expects the answer to be one that the operation declares: status, type, body and headers. */
export async function expectDocumented(
  operation: Documented,
  response: Response,
  status: number,
): Promise<string> {
  const where = `${operation.operationId} ${status}`
  const text = await response.text()
  expect(response.status, `${where}: ${text}`).toBe(status)

  const answer: ApiResponse | undefined = operation.responses[String(status)]
  expect(answer, `${where} is not declared`).toBeDefined()
  for (const [name, { required, schema }] of Object.entries(answer!.headers ?? {})) {
    const value = response.headers.get(name)
    if (required) expect(value, `${where} ${name}`).not.toBeNull()
    if (value !== null)
      expectValid(operation, schema, headerValue(schema, value), `${where} ${name}`)
  }
  if (!answer!.content) {
    expect(text, where).toBe('')
    return where
  }

  const type = response.headers.get('Content-Type')?.split(';')[0] ?? ''
  const media = answer!.content[type]
  expect(media, `${where} as ${type} is not declared`).toBeDefined()
  const body: unknown = type === 'application/json' ? JSON.parse(text) : text
  expectValid(operation, media!.schema, body, where)
  return where
}

function expectValid(
  { document }: Documented,
  schema: Schema,
  value: unknown,
  where: string,
): void {
  const { valid, errors } = validatorOf(schema, document).validate(value)
  expect(valid, `${where}: ${JSON.stringify(errors.at(-1))}`).toBe(true)
}

function headerValue(schema: Readonly<Record<string, unknown>>, value: string): unknown {
  return schema['type'] === 'integer' ? Number(value) : value
}

/** By schema: making a validator resolves every reference of the document. */
const validators = new WeakMap<Schema, Validator>()

/** The validator of a schema of the document. */
export function validatorOf(schema: Schema, { components }: Document): Validator {
  const validator = validators.get(schema) ?? new Validator({ ...schema, components }, '2020-12')
  validators.set(schema, validator)
  return validator
}
