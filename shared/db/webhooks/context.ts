import type { Instant } from '../../argentine-time.ts'
import { parseAdmission, parseCapacity } from '../../config.ts'
import { parseHosts, requestHost } from '../../webhooks/destination/destination.ts'
import { type Keyring, openKeyring } from '../../crypto/keyring.ts'
import type { RandomBytes } from '../../crypto/random.ts'

/** What managing webhooks needs: of the API and of the account area alike. */
export interface Management {
  db: D1Database
  keyring: Keyring
  /** The service's own hosts, which no webhook may point to (decision 62). */
  ownHosts: readonly string[]
  /** Whether the feature is open to users (decision 21). */
  admitted: boolean
  /** The most deliveries that may be accepted and not finished. */
  capacity: number
  now: Instant
  random: RandomBytes
}

/** A destination that the policy refuses, and the reason for its owner, in Spanish. */
export interface RefusedDestination {
  refusedDestination: string
}

/** The configuration of a Worker that manages webhooks. */
export interface ManagementEnv {
  DB: D1Database
  KEY_ENCRYPTION_KEYS: string
  PUBLIC_HOSTS: string
  WEBHOOK_ADMISSION: string
  DELIVERY_CAPACITY: string
}

/** Throws a `ConfigError` when any of it cannot be used: nothing can be sealed or promised then. */
export function openManagement(
  env: ManagementEnv,
  { requestUrl, ...world }: Pick<Management, 'now' | 'random'> & { requestUrl: string },
): Management {
  return {
    db: env.DB,
    keyring: openKeyring(env.KEY_ENCRYPTION_KEYS),
    ownHosts: [...parseHosts(env.PUBLIC_HOSTS), requestHost(requestUrl)],
    admitted: isAdmissionOpen(env),
    capacity: parseCapacity(env.DELIVERY_CAPACITY),
    ...world,
  }
}

export function isAdmissionOpen(env: Pick<ManagementEnv, 'WEBHOOK_ADMISSION'>): boolean {
  return parseAdmission(env.WEBHOOK_ADMISSION) === 'open'
}
