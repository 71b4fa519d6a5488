import type { Document, Operation, Schema } from '../../../../workers/site/reference/openapi.ts'
import { Validator } from '@cfworker/json-schema'

/** An operation of one of the OpenAPI documents. */
export interface Described {
  method: string
  path: string
  operation: Operation
  document: Document
}

/** Whether a value is what a schema of the document says. */
export function isValid(schema: Schema, value: unknown, document: Document): boolean {
  return validatorOf(schema, document).validate(value).valid
}

/** By schema, of each document: making one resolves every reference of the document. */
const validators = new WeakMap<Document, WeakMap<Schema, Validator>>()

/** The validator of a schema of the document. */
export function validatorOf(schema: Schema, document: Document): Validator {
  const known = validators.get(document) ?? new WeakMap<Schema, Validator>()
  validators.set(document, known)
  const { components } = document
  const validator = known.get(schema) ?? new Validator({ ...schema, components }, '2020-12')
  known.set(schema, validator)
  return validator
}
