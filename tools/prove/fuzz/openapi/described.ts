import { DOCUMENTS } from '../../../../workers/site/reference/documents.ts'
import { type Document, type Operation, operationsOf, type Schema } from '../../../../workers/site/reference/openapi.ts'
import { Validator } from '@cfworker/json-schema'

/** An operation of one of the documents that the running service serves. */
export interface Described {
  method: string
  path: string
  operation: Operation
  document: Document
}

/** Every operation of every document, as anyone may read them. */
export async function readDocuments(url: string): Promise<Described[]> {
  const documents = await Promise.all(
    DOCUMENTS.map(async ({ path }) => (await fetch(url + path)).json() as Promise<Document>),
  )
  return documents.flatMap((document) =>
    operationsOf(document).map((described) => ({ ...described, document })),
  )
}

/** Whether a value is what a schema of the document says. */
export function isValid(schema: Schema, value: unknown, document: Document): boolean {
  return validatorOf(schema, document).validate(value).valid
}

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
