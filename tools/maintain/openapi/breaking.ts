import type { Document, Operation, Schema } from '../../../workers/site/reference/openapi.ts'
import { operationsOf } from '../../../workers/site/reference/openapi.ts'
import { type Compared, narrowings, widenings } from './schemas.ts'

/**
 * What a program that was written against the document `before` could stumble over in `after`, a
 * sentence each: what is gone, what an answer no longer promises, what a request now demands. What
 * is added breaks nothing.
 */
export function breakingChanges(before: Document, after: Document): string[] {
  const now = new Map(
    operationsOf(after).map((one) => [`${one.method} ${one.path}`, one.operation]),
  )
  const documents = { before, after }
  return operationsOf(before).flatMap(({ method, path, operation: was }) => {
    const name = `${method} ${path}`
    const is = now.get(name)
    if (!is) return [`${name} is gone`]

    return [
      ...parameterBreaks(was, is, documents),
      ...bodyBreaks(was, is, documents),
      ...answerBreaks(was, is, documents),
    ].map((change) => `${name}: ${change}`)
  })
}

const key = ({ name, in: place }: { name: string; in: string }) => `${place} ${name}`

function parameterBreaks(was: Operation, is: Operation, documents: Compared): string[] {
  const before = new Map((was.parameters ?? []).map((one) => [key(one), one]))
  const after = new Map((is.parameters ?? []).map((one) => [key(one), one]))
  const gone = [...before.keys()].filter((name) => !after.has(name))
  const demanded = [...after].filter(
    ([name, { required }]) => required && !before.get(name)?.required,
  )
  return [
    ...gone.map((name) => `parameter ${name} is gone`),
    ...demanded.map(([name]) => `parameter ${name} is now required`),
    ...[...before].flatMap(([name, { schema }]) =>
      narrowings(`parameter ${name}`, schema, after.get(name)?.schema ?? schema, documents),
    ),
  ]
}

function bodyBreaks(was: Operation, is: Operation, documents: Compared): string[] {
  const after = is.requestBody
  if (!after) return []

  const before = was.requestBody
  if (after.required && !before?.required) return ['a body is now required']
  return Object.entries(before?.content ?? {}).flatMap(([type, { schema }]) => {
    const next = after.content[type]
    return next ? narrowings('body', schema, next.schema, documents) : [`body ${type} is gone`]
  })
}

function answerBreaks(was: Operation, is: Operation, documents: Compared): string[] {
  return Object.entries(was.responses).flatMap(([status, answer]) => {
    const next = is.responses[status]
    if (!next) return [`answer ${status} is gone`]

    const headers = Object.entries(answer.headers ?? {})
      .filter(([name, { required }]) => required && !next.headers?.[name]?.required)
      .map(([name]) => `answer ${status}: header ${name} is no longer promised`)
    const bodies = Object.entries(answer.content ?? {}).flatMap(([type, { schema }]) => {
      const media: { schema: Schema } | undefined = next.content?.[type]
      return media
        ? widenings(`answer ${status}`, schema, media.schema, documents)
        : [`answer ${status}: ${type} is gone`]
    })
    return [...headers, ...bodies]
  })
}
