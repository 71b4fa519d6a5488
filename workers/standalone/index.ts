import { createEdge } from '../edge/edge.ts'
import site, { type SiteEnv } from '../site/index.ts'

const edge = createEdge({
  now: () => Date.now(),
  // The edge hands over its own environment, which here is the one of everything.
  site: (request, env, context) => site.fetch(request, env as unknown as SiteEnv, context),
})

export default {
  fetch: edge.fetch,
} satisfies ExportedHandler<Cloudflare.StandaloneEnv>
