import { headerOf } from '../request.ts'
import type { WireAnswer } from '../wire/read-answer.ts'
import { isApi } from './asked.ts'
import { errorProblems } from './error-object.ts'
import type { Rule } from './rule.ts'

/** What the contents of each type must be. */
const CHECKS: Record<string, (text: string) => boolean> = {
  'application/json': isJson,
  'text/html': (text) => /^<(?:!doctype html>|p |div )/i.test(text),
  'image/svg+xml': (text) => /^<svg[\s>]/.test(text) && text.trimEnd().endsWith('</svg>'),
  'image/png': (text) => text.slice(1, 4) === 'PNG',
  'application/xml': (text) => text.startsWith('<?xml '),
  'text/csv': (text) => text.endsWith('\r\n'),
  'text/event-stream': () => true,
  'text/plain': (text) => text !== '',
  'text/markdown': (text) => text.startsWith('#'),
  'text/css': () => true,
  'text/javascript': () => true,
}

/** The body is what its type says, and a refusal of the API is the Error object. */
export const bodyRule: Rule = (asked, answer) => {
  const { status, headers, body } = answer
  const type = typeOf(answer)
  const isEmpty = body.length === 0
  const hasNoBody = asked.sent.method === 'HEAD' || type === 'text/event-stream'

  if (isApi(asked.path) && status >= 400) return errorProblems(asked, answer, type)
  // DolarApi's own form of a 404, at its addresses.
  if (isEmpty && status === 404 && asked.path.startsWith('/v1/')) return []
  if (isEmpty && !hasNoBody) return isEmptyFine(status) ? [] : [`${status} without a body`]
  if (isEmpty && (status === 304 || headerOf(headers, 'content-type') === undefined)) return []

  const check = CHECKS[type]
  if (!check) return [`the type ${type || '(none)'} is none of ours`]
  if (isEmpty || check(body.toString())) return []
  return [`the body is no ${type}`]
}

export function typeOf({ headers }: WireAnswer): string {
  return (headerOf(headers, 'content-type') ?? '').split(';')[0]!.trim().toLowerCase()
}

function isEmptyFine(status: number): boolean {
  return [202, 204, 301, 302, 303, 304, 307].includes(status)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
