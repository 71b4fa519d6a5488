import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { expect } from 'vitest'
import type { Instant } from '../../shared/argentine-time.ts'
import type { StatusEnv } from '../../shared/db/status.ts'
import { createEdge } from '../../workers/edge/app.ts'
import type { EdgeEnv } from '../../workers/edge/context.ts'
import { type Bindings, withBindings } from './env.ts'
import { art } from './instant.ts'
import { randomBytes } from '../../tools/support/random.ts'

/** The edge's bindings that a test may replace. `standalone` has those of deliveries too. */
export type EdgeBindings = Bindings<EdgeEnv & StatusEnv>

/** A fresh edge, as in a new isolate, whose answers keep common promises. The test moves its clock. */
export function openEdge(options: {
  now: Instant
  env?: EdgeBindings
  site?: Parameters<typeof createEdge>[0]['site']
}) {
  const clock = { now: options.now }
  const { site = async () => new Response('site') } = options
  const ofSite = new WeakSet<Request>()
  const edge = createEdge({
    now: () => clock.now,
    site: (request, ...more) => {
      ofSite.add(request)
      return site(request, ...more)
    },
    random: randomBytes,
  })

  async function fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const context = createExecutionContext()
    const request = new Request(`https://cotizaciones.test${path}`, init)
    const response = await edge.fetch(
      request as Parameters<typeof edge.fetch>[0],
      withBindings<EdgeEnv & StatusEnv>(options.env ?? {}),
      context,
    )
    await waitOnExecutionContext(context)
    if (!ofSite.has(request)) expectCommon(response, path)
    return response
  }

  return {
    clock,
    fetch,
    // oxlint-disable-next-line typescript/no-explicit-any -- JSON of any shape: tests look into it
    json: async (path: string): Promise<any> => (await fetch(path)).json(),
  }
}

/** What every answer of the API promises, whatever its operation. */
function expectCommon({ status, headers }: Response, path: string): void {
  const where = `${status} ${path.slice(0, 200)}`
  expect(headers.get('Access-Control-Allow-Origin'), where).toBe('*')
  expect(headers.has('Access-Control-Allow-Credentials'), where).toBe(false)
  expect(headers.get('WWW-Authenticate'), where).toBe(status === 401 ? 'Bearer' : null)
  const type = headers.get('Content-Type')
  if (type?.includes('json')) expect(type, where).toBe('application/json; charset=utf-8')
  if (status < 400) return

  expect(headers.get('Cache-Control'), where).toBe('no-store')
  const mustWait = status === 429 || status === 503
  expect(headers.get('Retry-After') ?? '', where).toMatch(mustWait ? /^[1-9]\d*$/ : /^$/)
}

/** The status of a private read with a key, at noon. */
export async function statusOfKey(key: string): Promise<number> {
  const edge = openEdge({ now: art('2026-03-02 12:00') })
  return (await edge.fetch('/api/v2/auth/check', { headers: { 'x-api-key': key } })).status
}
