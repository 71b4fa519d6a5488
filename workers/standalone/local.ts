/**
 * The entry behind `npm start`, never deployed: the same composition, in which the network that
 * the scraper sees can be another one, and whose clock is the process around it.
 */
import { createEdge } from '../edge/edge.ts'
import delivery from '../delivery/index.ts'
import site from '../site/index.ts'
import { answerControl, type LocalEnv } from './local/control.ts'

const edge = createEdge({ now: () => Date.now(), site: async () => site.fetch() })

export default {
  async fetch(request, env, context) {
    return (await answerControl(request, env)) ?? edge.fetch(request, env, context)
  },
  queue: delivery.queue,
} satisfies ExportedHandler<LocalEnv>
