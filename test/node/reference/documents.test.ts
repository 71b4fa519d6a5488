import { Validator as SchemaValidator } from '@cfworker/json-schema'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { operationsOf } from '../../../workers/site/reference/openapi.ts'
import { quotesDocument } from '../../../workers/site/reference/quotes-document.ts'
import { webhooksDocument } from '../../../workers/site/reference/webhooks-document.ts'
import { aTerms } from '../../support/terms.ts'

const documents = [
  quotesDocument(aTerms('https://cotizaciones.test')),
  webhooksDocument(aTerms('https://cotizaciones.test')),
]

describe.each(documents.map((document) => [document.info.title, document] as const))(
  '%s',
  (_, document) => {
    it('is a valid OpenAPI 3.1 document', async () => {
      const result = await new Validator().validate(structuredClone(document) as never)
      expect(result.errors).toBeUndefined()
      expect(result.valid).toBe(true)
    })

    it('has examples that its schemas accept', () => {
      const media = operationsOf(document).flatMap(({ operation }) =>
        [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
          Object.values(part?.content ?? {}).map(
            (content) => [operation.operationId, content] as const,
          ),
        ),
      )
      expect(media.length).toBeGreaterThan(20)
      for (const [name, { schema, example }] of media) {
        if (example === undefined) continue
        const root = { ...schema, components: document.components }
        const { valid, errors } = new SchemaValidator(root, '2020-12').validate(example)
        expect(valid, `${name}: ${JSON.stringify(errors.at(-1))}`).toBe(true)
      }
    })

    it('describes every operation and parameter in words', () => {
      const operations = operationsOf(document)
      const ids = operations.map(({ operation }) => operation.operationId)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { path, operation } of operations) {
        expect(operation.summary, path).not.toBe('')
        expect(operation.description, path).toMatch(/\.$/)
        const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
        expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      }
    })
  },
)

it('keeps the versions of the contract', () => {
  expect(documents.map(({ info }) => info.version)).toEqual(['2.1.0', '2.4.0'])
})
