import { problemsIn } from '../../harness/findings.ts'
import { OTHERS_KEY } from '../changes/credentials.ts'
import { type FuzzRequest, headerOf, type SentRequest } from '../request.ts'
import type { WireAnswer } from '../wire/read-answer.ts'
import { ENDED_SILENTLY, type Exchange } from '../wire/wire.ts'
import { isHttp, pathOf, unescapedPath, type Rule } from './checked-request.ts'
import { bodyRule } from './body.ts'
import { declarationProblems } from '../openapi/problems.ts'
import { headersRule, leaks, statusRule } from './rules.ts'

const RULES: readonly Rule[] = [statusRule, headersRule, bodyRule, leaks]

interface Checked {
  problems: string[]
  /** Whether the runtime refused the request by itself. */
  ofRuntime: boolean
}

const RUNTIME: Checked = { problems: [], ofRuntime: true }

/** Checks an answer against what the contract promises for any request. */
export function checkExchange(
  expected: Pick<FuzzRequest, 'accepts' | 'changes' | 'denied' | 'operation'>,
  sent: SentRequest,
  exchange: Exchange,
): Checked {
  if (exchange.kind === 'failed') {
    const isCut = sent.framing.startsWith('short') && exchange.why === ENDED_SILENTLY
    return isCut ? RUNTIME : { problems: [exchange.why], ofRuntime: false }
  }

  const { answer } = exchange
  if (!isHttp(sent) && isOfRuntime(sent.method, answer)) return RUNTIME

  const rawPath = pathOf(sent)
  if (isOfAssets(rawPath, answer)) return RUNTIME
  const request = { sent, rawPath, path: unescapedPath(rawPath) }
  const { changes, accepts, denied, operation } = expected
  const { status } = answer
  const isOthers = changes.join() === OTHERS_KEY && NAMES_WEBHOOK.test(sent.target)
  const problems = [
    ...RULES.flatMap((rule) => rule(request, answer)),
    ...(operation && changes.length === 0 ? declarationProblems(operation, answer) : []),
    ...problemsIn([
      [
        changes.length === 0 && !accepts.includes(status),
        `without changes it is answered with ${status}`,
      ],
      [denied && !isDenial(answer), `without what the route needs, ${status}`],
      [isOthers && status < 300, "somebody else's webhook or alert is answered for"],
    ]),
  ]
  return { problems, ofRuntime: false }
}

const NAMES_WEBHOOK = /^\/api\/v2\/(?:webhooks|alerts)\/[0-9a-f]{8}-/

/** 401, 429 to a client that guesses keys, or a redirect to the sign-in page. */
function isDenial({ status, headers }: WireAnswer): boolean {
  return (
    status === 401 ||
    status === 429 ||
    (status === 303 && headerOf(headers, 'location') === '/cuenta/entrar')
  )
}

/** What a HEAD and the GET of the same must have in common; quotas and clocks differ. */
export function compareHead(get: WireAnswer, head: WireAnswer): string[] {
  // A limit may have been reached between the two.
  if (get.status === 429 || head.status === 429) return []
  // Only GET has parts (RFC 9110, 14.2), and a 416 is kept by nobody.
  const hasParts = [206, 416].includes(get.status) && head.status === 200
  if (hasParts) return []
  if (get.status !== head.status)
    return [`GET is answered with ${get.status}, HEAD with ${head.status}`]

  return ['content-type', 'cache-control', 'vary', 'location', 'access-control-allow-origin']
    .filter((name) => valuesOf(get, name) !== valuesOf(head, name))
    .map((name) => `HEAD has another ${name} than GET`)
}

function valuesOf({ headers }: WireAnswer, name: string): string {
  return headers
    .filter(([given]) => given.toLowerCase() === name)
    .map(([, value]) => value)
    .join()
}

/** The exact answers of workerd itself to what is not HTTP or has no usable URL. */
const REFUSALS: readonly (readonly [status: number, body: string])[] = [
  [400, 'invalid HTTP version parsed'],
  [400, 'invalid HTTP header parsed'],
  [400, 'invalid URI'],
  [400, 'Bad Request'],
  [414, 'URI too long'],
  [415, 'Unsupported Media Type'],
  [431, ''],
  [500, 'Internal Server Error'],
  [501, 'ERROR: Unrecognized request method.'],
]

/**
 * Whether an answer is of the platform's server of static files, which takes GET and HEAD, and
 * several slashes for one.
 */
function isOfAssets(path: string, { status, body }: WireAnswer): boolean {
  return /^\/+static\//.test(path) && status === 405 && body.length === 0
}

/** What the local runtime's front says of an invalid URL. No deployment has that front. */
const FRONT =
  /^TypeError: Fetch API cannot load: .*\n\s+at Object\.fetch \(file:.*\/miniflare\/dist\//

/** Whether the runtime itself made the answer. HEAD shows no text. */
function isOfRuntime(method: string, { status, body }: WireAnswer): boolean {
  const text = body.toString()
  if (status === 500 && FRONT.test(text)) return true
  return REFUSALS.some(
    ([code, text]) => code === status && (text === text || (method === 'HEAD' && text === '')),
  )
}
