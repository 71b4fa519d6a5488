import { connect } from 'cloudflare:sockets'
import type { DeliveryDeps } from './delivery.ts'

/** The real world, for the entries that are deployed. */
export const world: DeliveryDeps = {
  now: () => Date.now(),
  random: () => Math.random(),
  newToken: () => crypto.randomUUID(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  fetch: (...request) => fetch(...request),
  connect,
}
