import * as fc from 'fast-check'
import type { Schema } from '../../workers/site/reference/openapi.ts'

/** Values that a schema accepts. Throws where it knows none, so that nothing is left out. */
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
    fc.integer({ min: Number(minimum ?? 0), max: Math.min(Number(maximum ?? 1e6), 1e6) }),
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

function objects({
  properties = {},
  required = [],
}: Schema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties as Record<string, Schema>)
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field)])), {
    requiredKeys: required as string[],
  })
}

/** What callers send by mistake or on purpose; most schemas refuse most of it. */
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  2 ** 53,
  'a'.repeat(2049),
  'línea\n',
  '',
  [],
  {},
  ...'xyz 1e2 501 NaN null 2026-02-30 0000-00-00 24:00 usd/ usd/blue/x v1 PENDING'.split(' '),
]

export const oddValue = fc.constantFrom(...ODD)
