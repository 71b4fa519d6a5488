import type { Instant } from '../../argentine-time.ts'
import { parseAdmission, parseCapacity } from '../../config.ts'
import { type Keyring, openKeyring } from '../../crypto/keyring.ts'
import type { RandomBytes } from '../../crypto/random.ts'
import { parseHosts, requestHost } from '../../webhooks/destination/destination.ts'

/** What every change of a webhook needs, from the API and from the account pages alike. */
export interface WebhookContext {
  db: D1Database
  keyring: Keyring
  /** The service's own hosts. No webhook may point to them (decision 62). */
  ownHosts: readonly string[]
  /** Whether the feature is open to users (decision 21). */
  admitted: boolean
  /** The most deliveries that may be open at once. */
  capacity: number
  now: Instant
  random: RandomBytes
}

/** A destination that the policy refuses, with the reason in Spanish for its owner. */
export interface RefusedDestination {
  refusedDestination: string
}

/** The configuration of a Worker that manages webhooks. */
export interface WebhookEnv {
  DB: D1Database
  KEY_ENCRYPTION_KEYS: string
  PUBLIC_HOSTS: string
  WEBHOOK_ADMISSION: string
  DELIVERY_CAPACITY: string
}

/** Throws a `ConfigError` when a variable cannot be used. */
export function openWebhookContext(
  env: WebhookEnv,
  { requestUrl, ...deps }: Pick<WebhookContext, 'now' | 'random'> & { requestUrl: string },
): WebhookContext {
  return {
    db: env.DB,
    keyring: openKeyring(env.KEY_ENCRYPTION_KEYS),
    ownHosts: [...parseHosts(env.PUBLIC_HOSTS), requestHost(requestUrl)],
    admitted: isAdmissionOpen(env),
    capacity: parseCapacity(env.DELIVERY_CAPACITY),
    ...deps,
  }
}

export function isAdmissionOpen(env: Pick<WebhookEnv, 'WEBHOOK_ADMISSION'>): boolean {
  return parseAdmission(env.WEBHOOK_ADMISSION) === 'open'
}
