/**
 * The entry behind `npm start`, never deployed: the same composition, in which the network that
 * the scraper sees can be another one, and whose clock is the process around it.
 */
import { createEdge } from '../edge/edge.ts'
import { createSite, type SiteEnv } from '../site/index.ts'
import { answerControl, type LocalEnv } from './local/control.ts'
import { localDelivery } from './local/delivery.ts'
import { printMail } from './local/print-mail.ts'

export { QuoteStream } from '../edge/stream/quote-stream.ts'

const site = createSite({
  now: () => Date.now(),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  sendMail: printMail,
})
const edge = createEdge({
  now: () => Date.now(),
  // The edge hands over its own environment, which here is the one of everything.
  site: (request, env, context) => site.fetch(request, env as unknown as SiteEnv, context),
})

export default {
  async fetch(request, env, context) {
    return (await answerControl(request, env)) ?? edge.fetch(request, env, context)
  },
  queue: (batch, env, context) => localDelivery(env).queue(batch, env, context),
} satisfies ExportedHandler<LocalEnv>
