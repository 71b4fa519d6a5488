import { Validator } from '@cfworker/json-schema'
import specs from '@asyncapi/specs'
import { describe, expect, it } from 'vitest'
import { asyncapiDocument } from '../../../workers/site/reference/asyncapi.ts'
import { DOCUMENTS } from '../../../workers/site/reference/documents.ts'
import { aTerms } from '../../support/terms.ts'

const TERMS = aTerms('https://cotizaciones.test')
const document = asyncapiDocument(TERMS)
const messages = Object.values(document.channels).flatMap((channel) =>
  Object.values(channel.messages),
)
const official = new Validator(specs.schemasWithoutId['3.0.0'] as never, '7')

/** The value that `#/a/b` names, or undefined. */
function at(pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .reduce<any>((value, key) => value?.[key.replaceAll('~1', '/')], document)
}

function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' ? [inner as string] : refsOf(inner),
  )
}

describe('the AsyncAPI document', () => {
  it('is valid by the official schema of 3.0.0', () => {
    const { valid, errors } = official.validate(structuredClone(document))
    expect(valid, JSON.stringify(errors.slice(-3))).toBe(true)
  })

  it.each([
    ['a channel without its messages’ form', { channels: { webhook: { messages: [] } } }],
    ['an operation that neither sends nor receives', { operations: { send: { action: 'push' } } }],
    ['another version', { asyncapi: '2.6.0' }],
  ])('would not be valid with %s', (_, wrong) => {
    expect(official.validate({ ...structuredClone(document), ...wrong }).valid).toBe(false)
  })

  it('refers to nothing that it does not have', () => {
    const refs = refsOf(document)
    expect(refs.length).toBeGreaterThan(10)
    for (const ref of refs) expect(at(ref), ref).toBeDefined()
  })

  it('has examples that the payloads accept, and each message refuses those of the others', () => {
    for (const { name, payload } of messages) {
      const root = { ...structuredClone(payload), components: document.components }
      const accepted = messages.filter(
        ({ examples }) => new Validator(root as never, '7').validate(examples[0]!.payload).valid,
      )
      expect(accepted.map((message) => message.name)).toEqual([name])
    }
  })

  it('tells every event that the OpenAPI documents tell as webhooks, with the same headers', () => {
    const told = DOCUMENTS.flatMap(({ make }) =>
      Object.entries(make(TERMS).webhooks ?? {}).map(([name, { post }]) => [
        name,
        post!.parameters!.map((parameter) => parameter.name),
      ]),
    )
    const sent = messages.flatMap((message) =>
      'headers' in message ? [[message.name, Object.keys(message.headers.properties)]] : [],
    )
    expect(sent).toEqual(told)
    expect(sent.map(([name]) => name)).toEqual(
      ['WebhookEvent', 'AlertEvent'].flatMap((schema) =>
        at(`#/components/schemas/${schema}/properties/event/enum`),
      ),
    )
  })
})
