import type { DeliveryDeps } from './delivery.ts'

/** What the platform provides. No entry exports this: the runtime would take it for a handler. */
export const platform: DeliveryDeps = {
  now: () => Date.now(),
  random: () => Math.random(),
  newToken: () => crypto.randomUUID(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  fetch: (...request) => fetch(...request),
}
