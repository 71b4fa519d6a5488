import type { Secrets } from '../../shared/crypto/secrets.ts'
import delivery from '../delivery/index.ts'
import { createEdge } from '../edge/edge.ts'
import scraper from '../scraper/index.ts'
import site, { type SiteEnv } from '../site/index.ts'
import { isCycleCron } from './crons.ts'

export { QuoteStream } from '../edge/stream/quote-stream.ts'

const edge = createEdge({
  now: () => Date.now(),
  // The edge passes its own environment, which here has the bindings of all four.
  site: (request, env, context) => site.fetch(request, env as unknown as SiteEnv, context),
})

/** The four Workers in one, for users who deploy a single Worker. */
export default {
  fetch: edge.fetch,
  queue: delivery.queue,
  scheduled: (controller, env) =>
    isCycleCron(controller.cron)
      ? scraper.scheduled(controller, env)
      : delivery.scheduled(controller, env),
} satisfies ExportedHandler<Cloudflare.StandaloneEnv & Secrets>
