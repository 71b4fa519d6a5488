import type { Instant } from '../../argentine-time.ts'
import type { Keyring } from '../../keyring.ts'
import type { RandomBytes } from '../../random.ts'

/** What managing webhooks needs: of the API and of the account area alike. */
export interface Management {
  db: D1Database
  keyring: Keyring
  /** The service's own hosts, which no webhook may point to. */
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
