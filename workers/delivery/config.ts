import { orAbsent } from '../../shared/config/or-absent.ts'
import * as config from '../../shared/config.ts'
import { parseHosts } from '../../shared/webhooks/destination/destination.ts'
import { type Keyring, openKeyring } from '../../shared/crypto/keyring.ts'
import type { Secrets } from '../../shared/crypto/secrets.ts'
import type { DeliveryMessage, SweepMessage } from '../../shared/webhooks/delivery.ts'

/** The bindings, variables and secrets that deliveries use. */
export interface DeliveryEnv extends Partial<
  Pick<Secrets, 'KEY_ENCRYPTION_KEYS' | 'SYSTEM_WEBHOOK_URL'>
> {
  DB: D1Database
  DELIVERIES: Queue<DeliveryMessage | SweepMessage>
  WEBHOOK_ADMISSION: string
  DELIVERY_TRANSPORT: string
  DELIVERY_WAITS: string
  DELIVERY_CAPACITY: string
  DNS_OVER_HTTPS_URL: string
  /** The name of the queue of hints that were given up. */
  DEAD_LETTER_QUEUE: string
  PUBLIC_HOSTS: string
  /** Sender of e-mails; without it none is sent. */
  MAIL_FROM?: string
  EMAIL?: SendEmail
}

export interface DeliveryConfig {
  isAdmissionOpen: boolean
  transportName: 'pinned' | 'fetch'
  waits: config.Waits
  capacity: number
  ownHosts: string[]
  systemUrl: string | undefined
  keyring: () => Keyring
}

/** The configuration, or a `ConfigError`. */
export function readConfig(env: DeliveryEnv): DeliveryConfig {
  return {
    isAdmissionOpen: config.parseAdmission(env.WEBHOOK_ADMISSION) === 'open',
    transportName: config.parseTransport(env.DELIVERY_TRANSPORT),
    waits: config.parseWaits(env.DELIVERY_WAITS),
    capacity: config.parseCapacity(env.DELIVERY_CAPACITY),
    ownHosts: parseHosts(env.PUBLIC_HOSTS),
    // A wrong one must not cost users their deliveries: the system's own fail, and the log says why.
    systemUrl: orAbsent(() => config.parseSystemUrl(env.SYSTEM_WEBHOOK_URL)),
    // Opened when a field is: without the secret only the deliveries that need it wait.
    keyring: () => openKeyring(env.KEY_ENCRYPTION_KEYS),
  }
}
