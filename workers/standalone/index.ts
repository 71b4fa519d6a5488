import { createEdge } from '../edge/edge.ts'
import delivery from '../delivery/index.ts'
import scraper from '../scraper/index.ts'
import site from '../site/index.ts'
import { isCycleCron } from './crons.ts'

const edge = createEdge({ now: () => Date.now(), site: async () => site.fetch() })

/** The four Workers as one: the same code, for users who deploy a single Worker. */
export default {
  fetch: edge.fetch,
  queue: delivery.queue,
  scheduled: (controller, env) =>
    isCycleCron(controller.cron) ? scraper.scheduled(controller, env) : delivery.scheduled(),
} satisfies ExportedHandler<Cloudflare.StandaloneEnv>
