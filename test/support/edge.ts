import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import type { Instant } from '../../shared/argentine-time.ts'
import { createEdge } from '../../workers/edge/app.ts'
import { env } from './env.ts'
import { randomBytes } from '../../tools/support/random.ts'

type Env = Parameters<ReturnType<typeof createEdge>['fetch']>[1]

/** A fresh edge, as a new isolate would have it, whose clock the test moves. */
export function openEdge(options: {
  now: Instant
  env?: Partial<Env>
  site?: Parameters<typeof createEdge>[0]['site']
}) {
  const clock = { now: options.now }
  const edge = createEdge({
    now: () => clock.now,
    site: options.site ?? (async () => new Response('site')),
    random: randomBytes,
  })

  return {
    clock,
    async fetch(path: string, init: RequestInit = {}): Promise<Response> {
      const context = createExecutionContext()
      const request = new Request(`https://cotizaciones.test${path}`, init)
      const response = await edge.fetch(
        request as Parameters<typeof edge.fetch>[0],
        { ...env, ...options.env },
        context,
      )
      await waitOnExecutionContext(context)
      return response
    },
  }
}
