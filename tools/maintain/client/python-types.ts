import type { Schema } from '../../../workers/site/reference/openapi.ts'

/** The JSON schema keywords that our schemas use. */
export interface Forms extends Schema {
  $ref?: string
  enum?: unknown[]
  anyOf?: Schema[]
  type?: string | string[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

const HEAD = `"""Types of the API's answers. Made by \`npm run client -- build\` from its OpenAPI documents."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal, TypedDict, Union

#: A number with exactly the digits of the answer: a fraction is a Decimal, never a float.
Number = Union[int, Decimal]
`

/** The answers as Python's TypedDicts. The class of a nested object is named after its field. */
export function pythonTypes(schemas: Readonly<Record<string, Schema>>): string {
  const classes: string[] = []
  for (const [name, schema] of Object.entries<Schema>(schemas)) addClass(classes, name, schema)
  return [HEAD, ...classes].join('\n\n')
}

function addClass(classes: string[], name: string, schema: Forms): void {
  const { properties = {}, required = [], description } = schema
  const fields = Object.entries<Schema>(properties).map(([field, of]) => {
    const comment = of['description'] ? `    #: ${String(of['description'])}\n` : ''
    const type = typeOf(of, (inner) => {
      const named = `${name}${field[0]!.toUpperCase()}${field.slice(1)}`
      addClass(classes, named, inner)
      return named
    })
    const form = field === 'from' ? 'keyword' : required.includes(field) ? 'required' : 'optional'
    return { field, comment, type, form }
  })
  const printed = (wanted: string) =>
    fields
      .filter(({ form }) => form === wanted)
      .map(({ field, comment, type }) => `${comment}    ${field}: ${type}\n`)
      .join('')
  let base = 'TypedDict'
  // `from` is a keyword, so a class cannot have a field of this name.
  const keyword = fields.find(({ form }) => form === 'keyword')
  if (keyword) {
    classes.push(`_${name} = TypedDict("_${name}", {"from": '${keyword.type}'})\n`)
    base = `_${name}`
  }
  // Python before 3.11 cannot mark a single field as optional.
  const optional = printed('optional')
  if (optional) {
    classes.push(`class _${name}(TypedDict, total=False):\n${optional}`)
    base = `_${name}`
  }
  const doc = description ? `    """${String(description)}"""\n\n` : ''
  classes.push(`class ${name}(${base}):\n${doc}${printed('required')}`)
}

/** A JSON schema as a Python type; `named` makes a class for an object and returns its name. */
function typeOf(schema: Forms, named: (schema: Forms) => string): string {
  const { $ref, enum: values, anyOf, type, items, prefixItems = [] } = schema
  const union = (of: readonly Schema[]) =>
    [...new Set(of.map((one) => typeOf(one, named)))].join(' | ')
  if ($ref) return $ref.split('/').at(-1)!
  if ('const' in schema) return literal([schema['const']])
  if (values) return values[0] === null ? 'None' : literal(values)
  if (anyOf) return union(anyOf)
  if (type === 'object') return named(schema)
  if (type === 'array') return `list[${union([...prefixItems, items!])}]`
  return [type!]
    .flat()
    .map((name) => SIMPLE[name]!)
    .join(' | ')
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'Number',
  boolean: 'bool',
  null: 'None',
}

const literal = (values: readonly unknown[]) =>
  `Literal[${values.map((value) => JSON.stringify(value).replace(/^[tf]/, (first) => first.toUpperCase())).join(', ')}]`
