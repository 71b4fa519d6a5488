import { parseJson } from '../../../support/parse-json.ts'
import { problemsIn } from '../../harness/findings.ts'
import { headerOf } from '../request.ts'
import type { WireAnswer } from '../wire/read-answer.ts'
import { isApi, type CheckedRequest, type Rule } from './checked-request.ts'

const CHECKS: Record<string, (text: string) => boolean> = {
  'application/json': (text) => parseJson(text) !== undefined,
  'text/html': (text) => /^<(?:!doctype html>|p |div )/i.test(text),
  'image/svg+xml': (text) => /^<svg[\s>]/.test(text) && text.trimEnd().endsWith('</svg>'),
  'image/png': (text) => text.slice(1, 4) === 'PNG',
  'application/xml': (text) => text.startsWith('<?xml '),
  'application/vnd.apache.parquet': (text) => text.startsWith('PAR1'),
  // RFC 4180, but for Bluelytics' own.
  'text/csv': (text) => text.endsWith('\r\n') || text.startsWith('day,type,'),
  'text/event-stream': () => true,
  'text/plain': (text) => text !== '',
  'text/markdown': (text) => text.startsWith('#'),
  'text/css': () => true,
  'text/javascript': () => true,
}

/** The body is what its type says, and a refusal of the API is the Error object. */
export const bodyRule: Rule = (request, answer) => {
  const { status, headers, body } = answer
  const type = typeOf(answer)
  const isEmpty = body.length === 0
  const hasNoBody = request.sent.method === 'HEAD' || type === 'text/event-stream'

  if (isApi(request.path) && status >= 400) return errorProblems(request, answer, type)
  // DolarApi's own form of a 404, at its addresses.
  if (isEmpty && status === 404 && request.path.startsWith('/v1/')) return []
  if (isEmpty && !hasNoBody) return isEmptyFine(status) ? [] : [`${status} without a body`]
  if (isEmpty && (status === 304 || headerOf(headers, 'content-type') === undefined)) return []

  const check = CHECKS[type]
  if (!check) return [`the type ${type || '(none)'} is none of ours`]
  // A part of a file begins and ends anywhere.
  if (isEmpty || status === 206 || check(body.toString())) return []
  return [`the body is no ${type}`]
}

function typeOf({ headers }: WireAnswer): string {
  return (headerOf(headers, 'content-type') ?? '').split(';')[0]!.trim().toLowerCase()
}

function isEmptyFine(status: number): boolean {
  return [202, 204, 301, 302, 303, 304, 307].includes(status)
}

const SENTENCE_MAX = 200
const ENGLISH =
  /\b(?:the|not|is|are|invalid|unexpected|must|required|found|failed|bad|unknown|missing|cannot|should|expected|allowed|request|too|large)\b/i

/** The one text that is no sentence: a code of the contract. */
const NAMES = ['quote_unavailable']

/**
 * A refusal of the API is `{"error": "una frase"}` and nothing else. Exceptions are the plain text
 * of date reads and for cells, the page for an unknown pair, and JSON-RPC.
 */
function errorProblems(
  request: CheckedRequest,
  { status, headers, body }: WireAnswer,
  type: string,
) {
  const { path, rawPath, sent } = request
  const text = body.toString()
  const hasBody = sent.method !== 'HEAD'

  // An escaped path reaches the site, which has the endpoint too.
  if (path === '/api/mcp' && (!hasBody || isRpcError(text))) return []
  if (rawPath === '/api/mcp') return ['no JSON-RPC error']
  if (status === 429 && path.startsWith('/api/v2/date/')) {
    return type === 'text/plain' ? [] : ['the 429 of date reads is no plain text']
  }
  // A cell of a sheet shows what comes (decision 67: forms of current reads).
  if (type === 'text/plain' && status === 404 && /[?&]format=value(&|$)/.test(sent.target))
    return []
  if (type === 'text/html') {
    const fits = status === 404 && /^\/api\/[^/]+\/[^/]+(?:\/[^/]+)?$/.test(path)
    // The gate and the pages look at the path as it was sent.
    if (!isApi(rawPath)) return []
    const wantsJson = headerOf(sent.headers, 'accept') === 'application/json'
    return fits && !wantsJson ? [] : ['a page instead of the Error object']
  }
  if (type !== 'application/json') return [`a refusal of type ${type || '(none)'}`]
  if (/charset=(?!.*utf-8)/i.test(headerOf(headers, 'content-type') ?? ''))
    return ['a refusal in another charset']
  return hasBody ? sentenceProblems(text) : []
}

function sentenceProblems(text: string): string[] {
  const error = errorOf(text)
  if (error === null) return ['the body is no Error object']
  if (NAMES.includes(error)) return []

  const isSentence = /^[A-ZÁÉÍÓÚÑ"a-z_][^\n]{2,}$/.test(error) && error.length <= SENTENCE_MAX
  return problemsIn([
    [!isSentence, `the text is no sentence: ${error.slice(0, 80)}`],
    [ENGLISH.test(error), `the text is no Spanish: ${error.slice(0, 80)}`],
  ])
}

/** The text of an Error object; null when it is anything else. */
function errorOf(text: string): string | null {
  const { error, ...more } = (parseJson(text) ?? {}) as { error?: unknown }
  return typeof error === 'string' && Object.keys(more).length === 0 ? error : null
}

function isRpcError(text: string): boolean {
  const answer = parseJson(text) as { jsonrpc?: string; error?: { message?: string } } | undefined
  return answer?.jsonrpc === '2.0' && typeof answer.error?.message === 'string'
}
