import type { Document, Schema } from '../../../workers/site/reference/openapi.ts'
import { isValid } from './described.ts'

/** Texts of which most are wrong for any one parameter. */
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

/** Bodies that a schema refuses: a good one with one thing wrong, and things that are none. */
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
