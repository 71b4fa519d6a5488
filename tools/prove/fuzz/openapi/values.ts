import * as fc from 'fast-check'
import type { Operation, Parameter } from '../../../../workers/site/reference/openapi.ts'
import type { Described } from './described.ts'
import { valuesOf, wrongBodies, wrongTexts } from './schema-values.ts'

/** Values of the parameters of an operation, by name, and its body. */
export interface Values {
  parameters: Readonly<Record<string, string>>
  body?: unknown
  /** The parameter whose value its schema refuses. */
  wrong?: string
}

/** The examples of an operation. Parameters without one are left out. */
export function examplesOf({ parameters = [], requestBody }: Operation): Values {
  const given = parameters
    .filter(({ example }) => example !== undefined)
    .map(({ name, example }) => [name, String(example)])
  const body = requestBody?.content['application/json']?.example
  return { parameters: Object.fromEntries(given) as Values['parameters'], body }
}

/** Values of all schemas together. An example is as likely as all other values. */
export function validOf({ parameters = [], requestBody }: Operation): fc.Arbitrary<Values> {
  const media = requestBody?.content['application/json']
  const example = (media?.example ?? {}) as Record<string, unknown>
  const values = parameters.map((parameter) => [parameter.name, valuesOfParameter(parameter)])
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

function valuesOfParameter({ schema, example }: Parameter): fc.Arbitrary<string> {
  const values = valuesOf(schema).map(String)
  return example === undefined ? values : fc.oneof(values, fc.constant(String(example)))
}

/** The examples with one value that its schema refuses, in a parameter or in the body. */
export function wrongOf({ operation, document }: Described): Values[] {
  const good = examplesOf(operation)
  const media = operation.requestBody?.content['application/json']
  const bodies = media ? wrongBodies(media.schema, media.example as object, document) : []
  const places = (operation.parameters ?? []).filter(({ in: place }) => place !== 'header')
  return [
    ...places.flatMap(({ name, schema, in: place }) =>
      wrongTexts(schema, document)
        // An empty segment would be another path.
        .filter((text) => place === 'query' || text.trim() !== '')
        .map((text) => ({ ...good, parameters: { ...good.parameters, [name]: text }, wrong: name })),
    ),
    ...bodies.map((body) => ({ ...good, body })),
  ]
}
