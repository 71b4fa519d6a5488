import { CRONS } from '../../shared/crons.ts'
import type { Secrets } from '../../shared/crypto/secrets.ts'
import delivery from '../delivery/index.ts'
import { createEdge } from '../edge/edge.ts'
import scraper from '../scraper/index.ts'
import site, { type SiteEnv } from '../site/index.ts'

export { QuoteStream } from '../edge/stream/quote-stream.ts'

const edge = createEdge({
  now: () => Date.now(),
  // The edge passes its environment, which here has all bindings.
  site: (request, env, context) => site.fetch(request, env as unknown as SiteEnv, context),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
})

/** The four Workers in one, for users who deploy a single Worker. */
export default {
  fetch: edge.fetch,
  queue: delivery.queue,
  scheduled: (controller, env) =>
    (controller.cron === CRONS.sweep ? delivery : scraper).scheduled(controller, env),
} satisfies ExportedHandler<Cloudflare.StandaloneEnv & Secrets>
