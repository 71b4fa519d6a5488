import { createEdge } from '../edge/edge.ts'
import type { Secrets } from '../../shared/secrets.ts'
import site from '../site/index.ts'

const edge = createEdge({ now: () => Date.now(), site: async () => site.fetch() })

export default {
  fetch: edge.fetch,
} satisfies ExportedHandler<Cloudflare.StandaloneEnv & Secrets>
