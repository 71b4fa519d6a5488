import { orAbsent } from '../../shared/log.ts'
import { type Waits, type Secrets, setting, type Variables } from '../../shared/config/config.ts'
import { linkedOrigin } from '../../shared/config/public-origin.ts'
import { parseHosts } from '../../shared/webhooks/destination/destination.ts'
import { type Keyring, openKeyring } from '../../shared/crypto/sealed-box.ts'
import type { DeliveryMessage, SweepMessage } from '../../shared/webhooks/delivery.ts'

/** The bindings, variables and secrets that deliveries use. */
export interface DeliveryEnv
  extends Variables, Partial<Pick<Secrets, 'KEY_ENCRYPTION_KEYS' | 'SYSTEM_WEBHOOK_URL'>> {
  DB: D1Database
  DELIVERIES: Queue<DeliveryMessage | SweepMessage>
  EMAIL?: SendEmail
  /** The way out where workerd is ours; without it deliveries take the platform's fetch. */
  EGRESS?: Fetcher
}

export interface DeliveryConfig {
  isAdmissionOpen: boolean
  waits: Waits
  capacity: number
  ownHosts: string[]
  /** To which e-mails and embeds lead. */
  publicOrigin: string | null
  systemUrl: string | undefined
  keyring: () => Keyring
}

/** The configuration, or a `ConfigError`. */
export function readConfig(env: Omit<DeliveryEnv, 'DB' | 'DELIVERIES'>): DeliveryConfig {
  return {
    isAdmissionOpen: setting(env, 'WEBHOOK_ADMISSION') === 'open',
    waits: setting(env, 'DELIVERY_WAITS'),
    capacity: setting(env, 'DELIVERY_CAPACITY'),
    ownHosts: parseHosts(env.PUBLIC_ORIGIN),
    publicOrigin: linkedOrigin(env.PUBLIC_ORIGIN),
    // A wrong one must not cost users their deliveries: the system's own fail, and the log says why.
    systemUrl: orAbsent(() => setting(env, 'SYSTEM_WEBHOOK_URL')),
    // Opened when a field is: without the secret only the deliveries that need it wait.
    keyring: () => openKeyring(env.KEY_ENCRYPTION_KEYS),
  }
}
