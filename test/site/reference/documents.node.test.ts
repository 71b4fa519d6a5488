import { Validator as SchemaValidator } from '@cfworker/json-schema'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { type Document, operationsOf } from '../../../workers/site/reference/openapi.ts'
import { DOCUMENTS, JOINED } from '../../../workers/site/reference/documents.ts'
import { aDeployment } from '../../support/deployment.ts'

const deployment = aDeployment('https://cotizaciones.test')
const documents = DOCUMENTS.map(({ make }) => make(deployment))
const joined = JOINED.make(deployment)

describe.each([...documents, joined].map((document) => [document.info.title, document] as const))(
  '%s',
  (_, document) => {
    it('is a valid OpenAPI 3.1 document', async () => {
      const result = await new Validator().validate({ ...structuredClone(document) })
      expect(result.errors).toBeUndefined()
      expect(result.valid).toBe(true)
    })

    it('has examples that its schemas accept', () => {
      const media = operationsOf(document).flatMap(({ operation }) => {
        const parts = [operation.requestBody, ...Object.values(operation.responses)]
        const all = [
          ...(operation.parameters ?? []),
          ...parts.flatMap((part) => Object.values(part?.content ?? {})),
        ]
        return all.map((described) => [operation.operationId, described] as const)
      })
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
      for (const { path, operation } of operations) {
        expect(operation.summary, path).not.toBe('')
        expect(operation.description, path).toMatch(/\.$/)
        const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
        expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      }
    })
  },
)

it('has no operation twice in all documents', () => {
  const ids = documents.flatMap(operationsOf).map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

const answersOf = (document: Document) =>
  operationsOf(document).map(({ operation }) => [
    operation.operationId,
    Object.keys(operation.responses[200]?.content ?? {}),
  ])
const routesOf = (document: Document) =>
  operationsOf(document).map(({ method, path }) => `${method} ${path}`)

it('generated clients find every route in the joined document, once', () => {
  expect(routesOf(joined).toSorted()).toEqual([...new Set(documents.flatMap(routesOf))].toSorted())
  expect(Object.keys(joined.webhooks!)).toEqual(
    documents.flatMap(({ webhooks = {} }) => Object.keys(webhooks)),
  )
})

it('generated clients have one type of each answer of the reads and of the joined document', () => {
  const several = [documents[0]!, joined]
    .flatMap(answersOf)
    .filter(([, types]) => types!.length > 1)
  expect(several).toEqual([['readFile', ['text/csv', 'application/vnd.apache.parquet']]])
})

it('generated clients may send back the codes of a quote as they are', () => {
  const { parameters } = joined.paths['/api/v2/date/{date}/{currency}/{origin}']!.get!
  const [, currency, origin] = parameters!.map(({ schema }) => schema['enum'])
  expect(currency).toEqual(expect.arrayContaining(['usd', 'USD']))
  expect(origin).toEqual(expect.arrayContaining(['blue', 'BLUE']))
})

it('describes the headers of alert events: the id of the alert, and no type of sync', () => {
  const { webhooks } = documents.find(({ info }) => info.title.includes('agregados'))!
  for (const name of ['alert.triggered', 'alert.test']) {
    const headers = webhooks![name]!.post!.parameters!
    expect(headers.map(({ name }) => name)).not.toContain('X-Service-Delivery-Type')
    const id = headers.find(({ name }) => name === 'X-Service-Webhook-Id')
    expect(id!.description).toBe('El `id` de la alerta.')
  }
})

it('has no compatibility addresses where they are off', () => {
  const off = DOCUMENTS.at(-1)!.make(aDeployment('https://a.example', { compatibility: false }))
  expect(Object.keys(off.paths).filter((path) => /^\/v\d/.test(path))).toEqual([])
})
