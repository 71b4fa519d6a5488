/** Programs written against the documents of the last release still work. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { RELEASED } from '../../../tools/maintain/openapi.ts'
import { type Document, operationsOf } from '../../../workers/site/reference/openapi.ts'

const PROSE = ['description', 'example']

/**
 * The parts of a document that programs rely on. Additions must leave them unchanged: schemas in
 * place of their names, lists by their entries, except the required fields of a request.
 */
function promisesOf(document: Document): Record<string, any> {
  const { schemas } = document.components
  function promised(part: any, isRequest: boolean): any {
    if (Array.isArray(part)) return part.map((one) => promised(one, isRequest))
    if (typeof part !== 'object' || part === null) return part
    if ('$ref' in part) return promised(schemas[part.$ref.split('/').at(-1)], isRequest)
    const fields = Object.entries(part).filter(([name]) => !PROSE.includes(name))
    return Object.fromEntries(
      fields.map(([name, value]) => {
        const isGrowing = name === 'enum' || (name === 'required' && !isRequest)
        const isList = isGrowing && Array.isArray(value)
        return [name, isList ? byName(value) : promised(value, isRequest)]
      }),
    )
  }
  return Object.fromEntries(
    operationsOf(document).map(({ method, path, operation }) => {
      const { parameters = [], requestBody, responses } = operation
      const known = parameters.map((one) => [`${one.in} ${one.name}`, promised(one, true)])
      const demanded = parameters.filter(({ required }) => required).map(({ name }) => name)
      const body = promised(requestBody, true)
      const answers = promised(responses, false)
      return [
        `${method} ${path}`,
        { parameters: Object.fromEntries(known), demanded, body, answers },
      ]
    }),
  )
}

const byName = (names: string[]) => Object.fromEntries(names.map((name) => [name, true]))

/** A document's promises, with the tables of its reads, which are in the last document. */
function withTables(promises: Record<string, any>): object {
  const ofTables = promisesOf(RELEASED.at(-1)!.current)
  for (const [route, { parameters, answers }] of Object.entries(promises)) {
    const csv = ofTables[route]?.answers[200].content['text/csv']
    if (!csv) continue
    parameters['query format'] = ofTables[route].parameters['query format']
    answers[200].content['text/csv'] = csv
  }
  return promises
}

const released = RELEASED.filter(({ file }) => existsSync(file)).map(({ file, current }) => ({
  before: JSON.parse(readFileSync(file, 'utf8')) as Document,
  current,
}))

it('nothing that the last release promised is broken', () => {
  expect(released.length).toBeGreaterThan(1)
  for (const { before, current } of released)
    expect(withTables(promisesOf(current))).toMatchObject(promisesOf(before))
})
