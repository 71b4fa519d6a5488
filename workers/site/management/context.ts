import type { Instant } from '../../../shared/argentine-time.ts'
import type { RandomBytes } from '../../../shared/crypto/random.ts'
import type { ReceiverEnv } from '../db/subscriptions/context.ts'

/** The configuration of a Worker that manages webhooks and alerts, and its queue of hints. */
export type ManagementEnv = ReceiverEnv & { DELIVERIES: Queue }

/** Clock and random bytes, passed in so that tests can choose them. */
export interface ManagementDeps {
  now: () => Instant
  /** For ids and secrets. */
  random: RandomBytes
}

export interface ManagementContext {
  Bindings: ManagementEnv & {
    /** The account, which the edge has verified. */
    accountId: string
    /** Whether a call of the database has failed in this request. */
    databaseFailed: () => boolean
  }
}
