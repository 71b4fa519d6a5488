import * as fc from 'fast-check'
import type { Document, Schema } from '../../../../workers/site/reference/openapi.ts'
import { isValid } from './described.ts'

/** Values that a schema accepts. Throws on an unknown keyword, so that nothing is left out. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  if (Array.isArray(schema['anyOf']))
    return fc.oneof(...(schema['anyOf'] as Schema[]).map((option) => valuesOf(option)))

  const make = MAKERS[schema['type'] as keyof typeof MAKERS]
  if (!make) throw new Error(`no values for the schema ${JSON.stringify(schema)}`)
  return make(schema)
}

const MAKERS = {
  string: texts,
  integer: ({ minimum, maximum }: Schema) =>
    fc.oneof(
      fc.constantFrom(...[minimum, maximum].filter((bound) => typeof bound === 'number'), 1),
      fc.integer({ min: Number(minimum ?? 0), max: Math.min(Number(maximum ?? 1e6), 1e6) }),
    ),
  number: ({ minimum, maximum }: Schema) =>
    fc
      .integer({ min: Number(minimum ?? -1e6) * 100, max: Number(maximum ?? 1e6) * 100 })
      .map((hundredths) => hundredths / 100),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  object: objects,
} satisfies Record<string, (schema: Schema) => fc.Arbitrary<unknown>>

function texts({ pattern, format, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  if (format === 'uuid') return fc.uuid()
  if (format === 'date')
    return fc
      .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
  return fc.string({
    unit: fc.constantFrom(...'aZ09-_.:"/*ñ'),
    minLength: Number(minLength ?? 0),
    maxLength: Math.min(Number(maxLength ?? 30), 200),
  })
}

function objects({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties as Record<string, Schema>)
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field)])), {
    requiredKeys: required as string[],
  })
}

const TEXTS = [
  ...'xyz 0 -1 1.5 1e2 501 NaN null true [] 2026-02-30 2026-13-01 0000-00-00 24:00 12:60'.split(
    ' ',
  ),
  ...'usd/ usd/blue/x v1 v2:1 PENDING CSV 99999999999999999999 00000000'.split(' '),
  'ñ',
  ' ',
  '',
]

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  'xyz',
  ' x',
  'usd',
  'a'.repeat(2049),
  'línea\n',
  [],
  {},
]

/** Texts that a parameter's schema refuses, read as the type that it says. */
export function wrongTexts(schema: Schema, document: Document): string[] {
  return TEXTS.filter((text) => !isValid(schema, read(text, schema), document))
}

function read(text: string, { type }: Schema): unknown {
  return type === 'integer' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** Bodies that a schema refuses: a good one with one thing wrong, and values that are no object. */
export function wrongBodies(schema: Schema, good: object, document: Document): unknown[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  const candidates = [
    ...Object.keys(properties).flatMap((name) =>
      VALUES.map((value) => ({ ...good, [name]: value })),
    ),
    ...required.map((name) => ({ ...good, [name]: undefined })),
    { ...good, otro: 1 },
    null,
    [],
    'x',
    1,
  ]
  return candidates
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    .filter((value) => !isValid(schema, value, document))
}
