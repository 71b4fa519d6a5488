import type { Document, Media, Operation } from '../../../workers/site/reference/openapi.ts'
import { isValid } from './described.ts'

/** Examples of an operation that its own schemas refuse. */
export function exampleProblems(operation: Operation, document: Document): string[] {
  const { parameters = [], requestBody, responses } = operation
  return [
    ...parameters
      .filter(({ example }) => example !== undefined)
      .filter(({ schema, example }) => !isValid(schema, example, document))
      .map(({ name }) => `the example of ${name} is not valid`),
    ...mediaProblems('the body', requestBody?.content ?? {}, document),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      mediaProblems(`the ${status}`, content, document),
    ),
  ]
}

function mediaProblems(whose: string, content: Record<string, Media>, document: Document) {
  return Object.entries(content)
    .filter(([, { example }]) => example !== undefined)
    .filter(([, { schema, example }]) => !isValid(schema, example, document))
    .map(([type]) => `the ${type} example of ${whose} is not valid`)
}
