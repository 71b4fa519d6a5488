/** What the edge is asked, each beside a constant answer of the same bytes. */

export interface Case {
  name: string
  path: string
  /** Asked with the ETag of its answer, which makes it 304. */
  conditional?: boolean
  /** What the edge must reach of the constant's rate. */
  atLeast: number
}

/** The first is also asked of bare Hono. */
export const CASES: readonly [Case, ...Case[]] = [
  { name: 'one pair', path: '/api/v2/usd/blue', atLeast: 0.85 },
  { name: 'one pair, 304', path: '/api/v2/usd/blue', conditional: true, atLeast: 0.85 },
  { name: '19 pairs', path: '/api/v2/quotes', atLeast: 0.85 },
]

/** The edge's answer to a case, and the request header that leads to it. */
export interface Answer {
  header: string | null
  status: number
  body: string | null
  etag: string
}

/** Asks a server of a loopback port. */
export async function answerTo({ path, conditional }: Case, port: number): Promise<Answer> {
  const url = `http://127.0.0.1:${port}${path}`
  const whole = await fetch(url)
  const etag = whole.headers.get('etag')!
  const text = await whole.text()
  if (!conditional) return { header: null, status: whole.status, body: text, etag }

  const headers = { 'If-None-Match': etag }
  const { status } = await fetch(url, { headers })
  return { header: `If-None-Match: ${etag}`, status, body: null, etag }
}

/** A Worker that does nothing but answer so. */
export function constantWorker({ status, body, etag }: Answer): string {
  const headers = body === null ? { ETag: etag } : { 'Content-Type': 'application/json' }
  return `const body = ${JSON.stringify(body)}
const init = ${JSON.stringify({ status, headers })}
export default { fetch: () => new Response(body, init) }`
}
