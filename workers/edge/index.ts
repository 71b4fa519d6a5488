import { createEdge } from './edge.ts'
import { hasPlatformCache, markForPlatformCache } from './platform-cache.ts'

export { QuoteStream } from './stream/quote-stream.ts'

const edge = createEdge({
  now: () => Date.now(),
  site: async (request, env) => env.SITE!.fetch(request),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
})

export default {
  fetch(request, env, context) {
    const answer = edge.fetch(request, env, context)
    return hasPlatformCache(env.EDGE_CACHE) ? markForPlatformCache(request, answer) : answer
  },
} satisfies ExportedHandler<Parameters<typeof edge.fetch>[1] & { EDGE_CACHE: string }>
