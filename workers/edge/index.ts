import { createEdge } from './app.ts'

export { QuoteStream } from './stream/quote-stream.ts'

export default createEdge({
  now: () => Date.now(),
  site: async (request, env) => env.SITE!.fetch(request),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
})
