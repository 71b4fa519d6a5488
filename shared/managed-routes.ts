import { UUID_PATTERN } from './uuid.ts'

/**
 * What an account manages through the API, below `/api/v2`. Both kinds have the same operations.
 */
export const MANAGED = ['webhooks', 'alerts'] as const

/** Other ids cannot exist, so they are not looked up. */
const ONE = `/:id{${UUID_PATTERN}}`

/** The operations of a kind, below its address. The edge passes them to the site after its gate. */
export const MANAGED_ROUTES = {
  list: ['GET', ''],
  create: ['POST', ''],
  deliveries: ['GET', '/deliveries'],
  redeliver: ['POST', `/deliveries/:deliveryId{${UUID_PATTERN}}/redeliver`],
  read: ['GET', ONE],
  edit: ['PATCH', ONE],
  remove: ['DELETE', ONE],
  rotate: ['POST', `${ONE}/rotate-secret`],
  test: ['POST', `${ONE}/test`],
  redeliverSince: ['POST', `${ONE}/redeliver`],
} as const

export type ManagedOperation = keyof typeof MANAGED_ROUTES
