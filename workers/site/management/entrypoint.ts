import { WorkerEntrypoint } from 'cloudflare:workers'
import { createManagement } from './management.ts'
import type { ManagementEnv } from './context.ts'

/** The same as a function, for a Worker with both the edge and the site. */
export const management = createManagement({
  now: () => Date.now(),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
})

/** What the edge's binding `MANAGEMENT` calls; nothing else reaches it. */
export class Management extends WorkerEntrypoint<ManagementEnv> {
  answer(request: Request, accountId: string): Promise<Response> {
    return management.fetch(request, accountId, this.env, this.ctx)
  }
}
