import * as z from 'zod'
import { type HttpResponse } from '../../support/http-client.ts'
import { parseJson as jsonOf } from '../../support/parse-json.ts'
import { Broken } from './check.ts'

export interface Expected {
  status: number
  /** The media type, without parameters. */
  type?: string
  /** Headers by name: the whole value, or what it must look like; null for none. */
  headers?: Record<string, string | RegExp | null>
}

const errorObject = z.strictObject({ error: z.string().min(1) })

export function that(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Broken(otherwise)
}

/** Throws unless the answer has this status, type and headers. */
export function expectAnswer(what: string, answer: HttpResponse, expected: Expected): void {
  const { status, type, headers = {} } = expected
  that(answer.status === status, `${what} answers ${answer.status}, not ${status}`)
  if (type !== undefined) expectHeader(what, answer, 'Content-Type', new RegExp(`^${type}(;|$)`))
  for (const [name, value] of Object.entries(headers)) expectHeader(what, answer, name, value)
}

/** The JSON of an answer of the API, in the form that the contract gives it. */
export function readJson<Value>(
  what: string,
  answer: HttpResponse,
  schema: z.ZodType<Value>,
  { status = 200, headers = {} }: Partial<Expected> = {},
): Value {
  expectAnswer(what, answer, { status, type: 'application/json', headers: { ...CORS, ...headers } })
  return read(what, parseJson(what, answer.text), schema)
}

/** An Error object, which nobody may keep. */
export function expectError(
  what: string,
  answer: HttpResponse,
  { status, headers = {} }: Expected,
): string {
  const expected = { status, headers: { 'Cache-Control': 'no-store', ...headers } }
  return readJson(what, answer, errorObject, expected).error
}

export function read<Value>(what: string, value: unknown, schema: z.ZodType<Value>): Value {
  const result = schema.safeParse(value)
  if (result.success) return result.data

  const [issue] = result.error.issues
  throw new Broken(`${what}: ${issue!.path.join('.') || 'the answer'}: ${issue!.message}`)
}

export function parseJson(what: string, text: string): unknown {
  const value = jsonOf(text)
  that(value !== undefined, `${what} is not JSON`)
  return value
}

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Credentials': null,
}

function expectHeader(
  what: string,
  answer: HttpResponse,
  name: string,
  value: string | RegExp | null,
) {
  const found = answer.headers.get(name)
  const isRight = value instanceof RegExp ? value.test(found ?? '') : found === value
  that(isRight, `${what} has ${name}: ${found ?? '(none)'}, not ${value ?? '(none)'}`)
}
