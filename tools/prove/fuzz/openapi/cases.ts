import * as fc from 'fast-check'
import type { Parameter } from '../../../../workers/site/reference/openapi.ts'
import type { Described } from './described.ts'
import { valuesOf, wrongBodies, wrongTexts } from './schema-values.ts'
import { MAX_BODY_BYTES } from '../../../../workers/site/body-limit.ts'

/** One request to make of an operation, by the names of its parameters. */
export interface Case {
  name: string
  /** `works`: must succeed. `refused`: must not. `declared`: whatever is declared. */
  expects: 'works' | 'refused' | 'declared'
  parameters: Readonly<Record<string, string>>
  /** A query beside the parameters that are described. */
  query?: string
  body?: unknown
  contentType?: string
  accept?: string
  withKey: boolean
}

export interface CaseOptions {
  seed: number
  valid: number
  /** How many wrong values at most, chosen by the seed. */
  wrong: number
}

type Good = Omit<Case, 'name'>

/** Values of the parameters of an operation, and of its body. */
export type Values = Pick<Case, 'parameters' | 'body'>

/** What to ask of an operation: its examples, values that its schemas take, and some they do not. */
export function casesOf(described: Described, { seed, valid, wrong }: CaseOptions): Case[] {
  const { parameters = [], requestBody, security = [] } = described.operation
  const good: Good = {
    expects: 'works',
    parameters: examplesOf(parameters),
    body: requestBody?.content['application/json']?.example,
    withKey: security.length > 0,
  }
  const wrongs = wrongCases(described, good).map((given) => ({
    ...good,
    expects: 'refused' as const,
    ...given,
  }))

  return [
    { ...good, name: 'the examples' },
    ...negotiated(described)
      // A number alone is asked for by a parameter: too many clients accept plain text beside JSON.
      .filter((accept) => accept !== 'text/plain')
      .map((accept) => ({ ...good, name: `Accept: ${accept}`, accept })),
    ...fc.sample(validOf(described), { seed, numRuns: valid }).map((values) => ({
      ...good,
      ...values,
      name: 'values of the schemas',
      expects: 'declared' as const,
    })),
    ...someOf(wrongs, seed, wrong),
  ]
}

/** The types that `Accept` chooses between: none where the path names a file, which has one. */
function negotiated({ operation: { parameters = [], responses } }: Described): string[] {
  const namesFile = parameters.some(
    ({ in: place, schema }) =>
      place === 'path' &&
      Array.isArray(schema.enum) &&
      schema.enum.every((value) => /\.[a-z\d]+$/.test(String(value))),
  )
  return namesFile ? [] : Object.keys(responses['200']?.content ?? {})
}

/**
 * Cases with a value that a schema refuses, in one parameter or one place of the body, without a
 * key, with a parameter where there is none, or without JSON.
 */
function wrongCases(
  { method, operation, document }: Described,
  good: Good,
): (Partial<Case> & Pick<Case, 'name'>)[] {
  const { parameters = [], requestBody, responses } = operation
  const media = requestBody?.content['application/json']
  // A read without parameters of the query has nothing else that a 400 could be about.
  const refusesQuery =
    method === 'GET' && '400' in responses && !parameters.some(({ in: where }) => where === 'query')
  const bodies = media ? wrongBodies(media.schema, media.example as object, document) : []

  return [
    ...(good.withKey ? [{ name: 'no key', withKey: false }] : []),
    ...(refusesQuery ? [{ name: 'an unknown parameter', query: 'otro=1' }] : []),
    ...(media ? [{ name: 'a body of text', contentType: 'text/plain' }] : []),
    ...(media ? [{ name: 'a long body', body: 'a'.repeat(MAX_BODY_BYTES) }] : []),
    ...parameters.flatMap(({ name, schema, in: where }) =>
      wrongTexts(schema, document)
        // An empty segment would be another path.
        .filter((text) => where !== 'path' || text.trim() !== '')
        .map((text) => ({
          name: `${name} is ${JSON.stringify(text)}`,
          parameters: { ...good.parameters, [name]: text },
        })),
    ),
    ...bodies.map((body) => ({
      name: `the body is ${JSON.stringify(body).slice(0, 80)}`,
      body,
    })),
  ]
}

function someOf(cases: Case[], seed: number, count: number): Case[] {
  if (cases.length <= count) return cases
  const chosen = fc.shuffledSubarray(cases, { minLength: count, maxLength: count })
  return fc.sample(chosen, { seed, numRuns: 1 })[0]!
}

/** The examples that parameters have; the others may be left out. */
export function examplesOf(parameters: readonly Parameter[]): Record<string, string> {
  return Object.fromEntries(
    parameters
      .filter(({ example }) => example !== undefined)
      .map(({ name, example }) => [name, String(example)]),
  )
}

/** Values of all schemas together. An example is as likely as all other values. */
export function validOf({ operation }: Described): fc.Arbitrary<Values> {
  const { parameters = [], requestBody } = operation
  const media = requestBody?.content['application/json']
  const example = (media?.example ?? {}) as Record<string, unknown>
  const values = parameters.map(({ name, schema, example }) => [
    name,
    orExample(valuesOf(schema), example).map(String),
  ])
  const body = media && valuesOf(media.schema)

  return fc.record({
    parameters: fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<string>>, {
      requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
    }),
    body: body
      ? fc.tuple(body, fc.subarray(Object.keys(example))).map(([value, kept]) => ({
          ...(value as object),
          ...Object.fromEntries(kept.map((name) => [name, example[name]])),
        }))
      : fc.constant(undefined),
  })
}

function orExample(values: fc.Arbitrary<unknown>, example: unknown): fc.Arbitrary<unknown> {
  return example === undefined ? values : fc.oneof(values, fc.constant(example))
}
