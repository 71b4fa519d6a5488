import { headerOf, type SentRequest } from '../request.ts'
import type { WireAnswer } from '../wire/read-answer.ts'

const METHODS = new Set(
  (
    'GET HEAD POST PUT DELETE PATCH OPTIONS TRACE PURGE COPY LOCK MKCOL MOVE PROPFIND PROPPATCH ' +
    'SEARCH UNLOCK REPORT MERGE NOTIFY'
  ).split(' '),
)

/** Head and target beyond which the runtime may refuse a request by itself, in bytes. */
const TARGET_MAX = 60_000

/**
 * Whether a request is valid HTTP (RFC 9110, RFC 9112). The runtime may refuse only others before
 * the service sees them.
 */
export function isHttp({ method, target, headers }: SentRequest): boolean {
  return (
    acceptsIdentity(headerOf(headers, 'accept-encoding')) &&
    METHODS.has(method) &&
    /^(?:\/|https?:\/\/[\w.:[\]-]+\/)[\x21\x23-\x5b\x5d-\x5f\x61-\x7a~]*$/.test(target) &&
    target.length <= TARGET_MAX &&
    headers.every(([, value]) => isHeaderValue(value)) &&
    isHost(headerOf(headers, 'host'))
  )
}

/** The path as the service sees it: that of the URL, dot segments resolved, escapes as they are. */
export function pathOf({ target }: SentRequest): string {
  const url = target.startsWith('/')
    ? URL.parse(`http://service${target}`)
    : URL.parse(target, 'http://service')
  return url?.pathname ?? target
}

/** The path that routes are matched with: an escaped `p` is a `p` (RFC 3986, section 6.2.2.2). */
export function unescapedPath(path: string): string {
  return path.replace(/%([2-7][0-9a-f])/gi, (escape, hex: string) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16))
    return /[\w.~-]/.test(char) ? char : escape
  })
}

export function isApi(path: string): boolean {
  return path.startsWith('/api/')
}

function isHeaderValue(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- which is the point
  return !/[\x00-\x08\x0a-\x1f\x7f]/.test(value)
}

/** The local runtime answers 415 by itself when a client accepts none of its encodings. */
function acceptsIdentity(encodings: string | undefined): boolean {
  return !/(?:identity|\*)\s*;\s*q=0/i.test(encodings ?? '')
}

function isHost(host: string | undefined): boolean {
  return host === undefined || /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,4})?$/i.test(host)
}

export interface CheckedRequest {
  sent: SentRequest
  /** The path of its URL, its escapes as they were sent. */
  rawPath: string
  /** The same without needless escapes. */
  path: string
}

/** What is wrong with an answer, a sentence each; empty when nothing is. */
export type Rule = (request: CheckedRequest, answer: WireAnswer) => string[]
