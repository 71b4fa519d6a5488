import { Validator } from '@cfworker/json-schema'
import type { Document, Schema } from '../../../../workers/site/reference/openapi.ts'

/** By schema, of each document: making one resolves every reference of the document. */
const validators = new WeakMap<Document, WeakMap<Schema, Validator>>()

/** Tells whether a value is what a schema of the document says. */
export function validatorOf(schema: Schema, document: Document): Validator {
  const known = validators.get(document) ?? new WeakMap<Schema, Validator>()
  validators.set(document, known)
  const { components } = document
  const validator = known.get(schema) ?? new Validator({ ...schema, components }, '2020-12')
  known.set(schema, validator)
  return validator
}
