import { describe, expect, it } from 'vitest'
import { breakingChanges } from '../../../../tools/maintain/openapi/breaking.ts'
import { breaksSinceRelease, comparedDocuments } from '../../../../tools/maintain/openapi/released.ts'
import type { Document, Operation, Schema } from '../../../../workers/site/reference/openapi.ts'

it('nothing that the last release promised is broken (npm run openapi -- check)', () => {
  expect(comparedDocuments().some(({ released }) => released !== null)).toBe(true)
  expect(breaksSinceRelease()).toEqual([])
})

/** One route with a body, a parameter and an answer, changed where a test speaks of it. */
function aDocument({
  answer = {},
  body = {},
  operation = {},
  quote = {},
}: {
  answer?: Schema
  body?: Schema
  operation?: Partial<Operation>
  quote?: Schema
} = {}): Document {
  const get = {
    operationId: 'x',
    summary: '',
    description: '',
    tags: [],
    parameters: [
      { name: 'limit', in: 'query', description: '', schema: { type: 'integer', maximum: 500 } },
    ],
    requestBody: {
      required: false,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { side: { enum: ['buy', 'sell'] }, url: { type: 'string' } },
            required: ['url'],
            ...body,
          },
        },
      },
    },
    responses: {
      200: {
        description: '',
        headers: { ETag: { description: '', required: true, schema: {} } },
        content: {
          'application/json': {
            schema: { type: 'array', items: { $ref: '#/components/schemas/Quote' }, ...answer },
          },
        },
      },
    },
    ...operation,
  }
  const Quote = {
    type: 'object',
    properties: {
      sell: { type: 'number' },
      change: { anyOf: [{ type: 'object' }, { type: 'null' }] },
    },
    required: ['sell'],
    ...quote,
  }
  return { paths: { '/x': { get } }, components: { schemas: { Quote } } } as unknown as Document
}

describe('a breaking change', () => {
  const number = { type: 'number' }
  const whole = { anyOf: [{ type: 'object' }, { type: 'null' }] }
  it.each([
    ['a route that is gone', { paths: {}, components: { schemas: {} } }, 'GET /x is gone'],
    ['an answer that is gone', aDocument({ operation: { responses: {} } }), 'answer 200 is gone'],
    ['another type', aDocument({ answer: { type: 'object' } }), 'answer 200 may now be object'],
    [
      'a field that is gone',
      aDocument({ quote: { properties: { change: whole }, required: [] } }),
      'answer 200[].sell is gone',
    ],
    [
      'a field that may be absent',
      aDocument({ quote: { required: [] } }),
      '.sell may now be absent',
    ],
    [
      'a field that may be null',
      aDocument({
        quote: { properties: { sell: { anyOf: [number, { type: 'null' }] }, change: whole } },
      }),
      '[].sell may now be null',
    ],
    [
      'a parameter that is gone',
      aDocument({ operation: { parameters: [] } }),
      'query limit is gone',
    ],
    [
      'a new parameter that is required',
      aDocument({
        operation: {
          parameters: [
            { name: 'limit', in: 'query', description: '', schema: { type: 'integer' } },
            { name: 'y', in: 'query', required: true, description: '', schema: {} },
          ],
        },
      }),
      'query y is now required',
    ],
    [
      'a narrower bound',
      aDocument({
        operation: {
          parameters: [
            {
              name: 'limit',
              in: 'query',
              description: '',
              schema: { type: 'integer', maximum: 9 },
            },
          ],
        },
      }),
      'narrower maximum',
    ],
    [
      'a new demand of the body',
      aDocument({ body: { required: ['url', 'side'] } }),
      'side is now required',
    ],
    [
      'a value that is no longer taken',
      aDocument({ body: { properties: { side: { enum: ['buy'] }, url: { type: 'string' } } } }),
      'no longer takes sell',
    ],
  ])('is %s', (_, after, words) => {
    const found = breakingChanges(aDocument(), after as unknown as Document)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(words)
  })

  it('is none of what is added: routes, answers, fields, values, parameters', () => {
    const after = aDocument({
      quote: {
        properties: { sell: number, change: whole, name: { type: 'string' } },
        required: ['sell', 'name'],
      },
      body: {
        properties: {
          side: { enum: ['buy', 'sell', 'mid'] },
          url: { type: 'string' },
          note: { type: 'string' },
        },
      },
    })
    expect(breakingChanges(aDocument(), after)).toEqual([])
    expect(breakingChanges(aDocument(), aDocument())).toEqual([])
  })
})
