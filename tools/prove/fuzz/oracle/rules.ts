import { problemsIn } from '../../harness/findings.ts'
import { headerOf } from '../request.ts'
import { isApi, type Rule } from './checked-request.ts'
import { MARKUP } from '../grammar/nasty.ts'

/** Server errors are declared. Refusals have the headers that say what to do. */
export const statusRule: Rule = ({ path }, { status, headers }) => {
  const needsRetry = status === 429 || status === 503
  const hasRetry = /^[1-9]\d*$/.test(headerOf(headers, 'retry-after') ?? '')
  const api = isApi(path) && path !== '/api/mcp'
  const isBearer = headerOf(headers, 'www-authenticate') === 'Bearer'

  return problemsIn([
    [status >= 500 && status !== 503, `the status is ${status}`],
    [needsRetry && !hasRetry, `${status} without a Retry-After in seconds`],
    [api && status === 405 && !headerOf(headers, 'allow'), '405 without Allow'],
    [api && status === 401 && !isBearer, '401 without WWW-Authenticate'],
  ])
}

const PRIVATE =
  /^\/(?:cuenta|api\/account|api\/auth|api\/v2\/(?:webhooks|alerts|auth|history)|api\/mcp)(?:\/|$)/

export const headersRule: Rule = ({ path, rawPath }, { status, headers }) => {
  const cache = headerOf(headers, 'cache-control') ?? ''
  const isPage = headerOf(headers, 'content-type')?.startsWith('text/html') === true
  const isStored = !cache.includes('no-store')
  const isPrivate = PRIVATE.test(path) && status !== 204
  const isOpen = headerOf(headers, 'access-control-allow-origin') === '*'
  const credentials = headerOf(headers, 'access-control-allow-credentials')
  const isRedirect = status >= 300 && status < 400 && status !== 304

  return problemsIn([
    [status >= 400 && isStored, `${status} without no-store`],
    [isPrivate && isStored, 'a private answer may be stored'],
    [isApi(rawPath) && !isOpen, 'an API answer without CORS'],
    [credentials !== undefined, 'CORS with credentials'],
    [isPage && !headerOf(headers, 'content-security-policy'), 'a page without a policy'],
    [isRedirect && !isOurs(headerOf(headers, 'location')), 'a redirect to elsewhere'],
  ])
}

/** A path of ours, or GitHub's sign-in. */
function isOurs(location: string | undefined): boolean {
  return /^(?:\/(?![/\\])|https:\/\/github\.com\/login\/oauth\/authorize\?)/.test(location ?? '')
}

/** Texts that reveal our implementation. */
const INSIDES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack', /\n\s+at .+[:(]\d+:\d+/],
  ['a source file', /[\w-]\.(?:ts|tsx|mjs|c\+\+):\d+/],
  ['an exception', /\b(?:Type|Range|Reference|Syntax|Zod|Drizzle\w*|Sqlite|API|Assertion)Error\b/],
  ['the database', /D1_|SQLITE_|no such (?:table|column)|UNIQUE constraint|too many SQL variables/],
  ['SQL', /\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE)\b.{1,200}\b(?:FROM|VALUES|WHERE|SET)\b/s],
  ['a library', /node_modules|\bworkerd\b|miniflare|drizzle|better-?auth/i],
  [
    'a fault of the code',
    /Cannot read propert|is not a function|is not iterable|Illegal invocation/,
  ],
  ['a printed object', /\[object \w+\]/],
]

const KEY = /cot_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}/
const ISSUES_KEY = /^\/(?:api\/account\/keys|cuenta\/claves)(?:\/|$)/

/** The answer shows nothing of the implementation, no key, and no markup of the request. */
export const leaks: Rule = ({ path }, { status, headers, body }) => {
  const type = headerOf(headers, 'content-type') ?? ''
  // Code of others, and bytes that may spell anything.
  if (/javascript|text\/css|image\/png|parquet/.test(type)) return []
  const text = body.toString()

  const mayShowKey = status < 300 && ISSUES_KEY.test(path)
  const isMarkup = /html|svg|xml/.test(type)

  return problemsIn([
    ...INSIDES.map(([what, pattern]) => [pattern.test(text), `the body shows ${what}`] as const),
    [KEY.test(text) && !mayShowKey, 'the body shows a key'],
    [isMarkup && text.includes(MARKUP), 'markup of the request stands in the page'],
    [headerOf(headers, 'x-fz') !== undefined, 'a header of the request was let through'],
  ])
}
