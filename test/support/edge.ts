import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import type { Instant } from '../../shared/argentine-time.ts'
import type { StatusEnv } from '../../shared/db/status.ts'
import { createEdge } from '../../workers/edge/app.ts'
import type { EdgeEnv } from '../../workers/edge/context.ts'
import { type Bindings, withBindings } from './env.ts'
import { randomBytes } from '../../tools/support/random.ts'

/** The edge's bindings that a test may replace. `standalone` has those of deliveries too. */
export type EdgeBindings = Bindings<EdgeEnv & StatusEnv>

/** A fresh edge, as in a new isolate. The test moves its clock. */
export function openEdge(options: {
  now: Instant
  env?: EdgeBindings
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
        withBindings<EdgeEnv & StatusEnv>(options.env ?? {}),
        context,
      )
      await waitOnExecutionContext(context)
      return response
    },
  }
}
