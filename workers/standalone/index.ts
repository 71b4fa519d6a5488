import type { Secrets } from '../../shared/crypto/secrets.ts'
import { archive } from '../archive/index.ts'
import delivery from '../delivery/index.ts'
import { createEdge } from '../edge/edge.ts'
import mcp, { type McpEnv } from '../mcp/index.ts'
import scraper from '../scraper/index.ts'
import site, { management, type ManagementEnv, type SiteEnv } from '../site/index.ts'
import { isCycleCron } from './crons.ts'

export { QuoteStream } from '../edge/stream/quote-stream.ts'

const edge = createEdge({
  now: () => Date.now(),
  // The edge passes its own environment, which here has the bindings of all.
  site: (request, env, context) => site.fetch(request, env as unknown as SiteEnv, context),
  manage: (request, accountId, env, context) =>
    management.fetch(request, accountId, env as unknown as ManagementEnv, context),
  mcp: (request, env, context) => mcp.fetch(request, env as unknown as McpEnv, context),
})

/** The six Workers in one, for users who deploy a single Worker. */
export default {
  fetch: edge.fetch,
  queue: delivery.queue,
  async scheduled(controller, env) {
    if (!isCycleCron(controller.cron)) return delivery.scheduled(controller, env)
    await scraper.scheduled(controller, env)
    await archive(env, () => Date.now())
  },
} satisfies ExportedHandler<Cloudflare.StandaloneEnv & Secrets>
