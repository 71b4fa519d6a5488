/**
 * The requests to the edge, each beside a constant answer of the same body. The first constant sends
 * only the type of the body; the others send the edge's headers too.
 */

import { CLOSED_DAY } from './workerd-config.ts'

export interface Case {
  name: string
  path: string
  /** Requested with the ETag of its answer, which makes it 304. */
  conditional?: boolean
  /** Whether the constant sends the headers of the edge, or only the type of the body. */
  allHeaders?: boolean
  /** What the edge must reach of the constant's rate. */
  atLeast: number
}

/** The first is also sent to bare Hono. */
export const CASES: readonly [Case, ...Case[]] = [
  { name: 'one pair', path: '/api/v2/usd/blue', atLeast: 0.85 },
  { name: 'one pair, same bytes', path: '/api/v2/usd/blue', allHeaders: true, atLeast: 0.92 },
  {
    name: 'one pair, 304',
    path: '/api/v2/usd/blue',
    conditional: true,
    allHeaders: true,
    atLeast: 0.92,
  },
  { name: '19 pairs', path: '/api/v2/quotes', allHeaders: true, atLeast: 0.9 },
  // What was asked before: from the isolate's memory.
  {
    name: 'closed day, one pair',
    path: `/api/v2/date/${CLOSED_DAY}/usd/blue`,
    allHeaders: true,
    atLeast: 0.6,
  },
  {
    name: 'closed day, 19 pairs',
    path: `/api/v2/date/${CLOSED_DAY}`,
    allHeaders: true,
    atLeast: 0.6,
  },
]

/** The edge's answer to a case, and the request header that leads to it. */
export interface CaseResponse {
  header: string | null
  status: number
  body: string | null
  headers: Record<string, string>
}

/** Asks a server of a loopback port. */
export async function answerTo(
  { path, conditional, allHeaders }: Case,
  port: number,
): Promise<CaseResponse> {
  const url = `http://127.0.0.1:${port}${path}`
  const whole = await fetch(url)
  const [body, etag] = [await whole.text(), whole.headers.get('etag')!]
  const answer = conditional ? await fetch(url, { headers: { 'If-None-Match': etag } }) : whole
  return {
    header: conditional ? `If-None-Match: ${etag}` : null,
    status: answer.status,
    body: conditional ? null : body,
    headers: allHeaders ? ownHeaders(answer) : { 'content-type': 'application/json' },
  }
}

/** Those that a Worker sets, not its server. */
function ownHeaders({ headers }: Response): Record<string, string> {
  const ofServer = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']
  return Object.fromEntries([...headers].filter(([name]) => !ofServer.includes(name)))
}

/** A Worker that does nothing but answer so. */
export function constantWorker({ status, body, headers }: CaseResponse): string {
  return `const body = ${JSON.stringify(body)}
const init = ${JSON.stringify({ status, headers })}
export default { fetch: () => new Response(body, init) }`
}
