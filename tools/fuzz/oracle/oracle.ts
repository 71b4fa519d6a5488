import { OTHERS_KEY } from '../changes/credentials.ts'
import { type FuzzRequest, headerOf, type SentRequest } from '../request.ts'
import type { WireAnswer } from '../wire/read-answer.ts'
import { ENDED_SILENTLY, type Exchange } from '../wire/wire.ts'
import { isHttp, pathOf, unescapedPath } from './asked.ts'
import { bodyRule } from './body.ts'
import { headersRule } from './headers.ts'
import { leaks } from './leaks.ts'
import type { Rule } from './rule.ts'
import { isOfAssets, isOfRuntime } from './runtime.ts'
import { statusRule } from './status.ts'

const RULES: readonly Rule[] = [statusRule, headersRule, bodyRule, leaks]

export interface Judgement {
  /** A sentence for each thing that is wrong. */
  problems: string[]
  /** Whether the runtime refused the request by itself. */
  ofRuntime: boolean
}

const RUNTIME: Judgement = { problems: [], ofRuntime: true }

/** Holds an answer against what the contract promises for any request at all. */
export function judge(
  request: Pick<FuzzRequest, 'accepts' | 'changes' | 'denied'>,
  sent: SentRequest,
  exchange: Exchange,
): Judgement {
  if (exchange.kind === 'failed') {
    const isCut = sent.framing.startsWith('short') && exchange.why === ENDED_SILENTLY
    return isCut ? RUNTIME : { problems: [exchange.why], ofRuntime: false }
  }

  const { answer } = exchange
  if (!isHttp(sent) && isOfRuntime(sent.method, answer)) return RUNTIME

  const rawPath = pathOf(sent)
  if (isOfAssets(rawPath, answer)) return RUNTIME
  const asked = { sent, rawPath, path: unescapedPath(rawPath) }
  const problems = RULES.flatMap((rule) => rule(asked, answer))
  if (request.changes.length === 0 && !request.accepts.includes(answer.status))
    problems.push(`a good request is answered with ${answer.status}`)
  if (request.denied && !isDenial(answer))
    problems.push(`without what the route asks for, ${answer.status}`)
  if (
    request.changes.join() === OTHERS_KEY &&
    NAMES_WEBHOOK.test(sent.target) &&
    answer.status < 300
  )
    problems.push("somebody else's webhook or alert is answered for")
  return { problems, ofRuntime: false }
}

const NAMES_WEBHOOK = /^\/api\/v2\/(?:webhooks|alerts)\/[0-9a-f]{8}-/

/** 401, 429 to who guesses keys, or the way to the sign-in page. */
function isDenial({ status, headers }: WireAnswer): boolean {
  return (
    status === 401 ||
    status === 429 ||
    (status === 303 && headerOf(headers, 'location') === '/cuenta/entrar')
  )
}

/** What a HEAD and the GET of the same must have in common; quotas and clocks differ. */
export function judgeHead(get: WireAnswer, head: WireAnswer): string[] {
  // A limit may have been reached between the two.
  if (get.status === 429 || head.status === 429) return []
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
