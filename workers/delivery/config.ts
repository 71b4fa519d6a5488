import { orAbsent } from '../../shared/log.ts'
import { type Secrets, setting, type Variables } from '../../shared/config/config.ts'
import { linkedOrigin } from '../../shared/config/public-origin.ts'
import { parseHosts } from '../../shared/webhooks/destination/destination.ts'
import { openKeyring } from '../../shared/crypto/sealed-box.ts'
import type { DeliveryMessage, SweepMessage } from '../../shared/webhooks/delivery.ts'

/** The bindings, variables and secrets that deliveries use. */
export interface DeliveryEnv
  extends Variables, Partial<Pick<Secrets, 'KEY_ENCRYPTION_KEYS' | 'SYSTEM_WEBHOOK_URL'>> {
  DB: D1Database
  DELIVERIES: Queue<DeliveryMessage | SweepMessage>
  EMAIL?: SendEmail
  /** The egress where we run workerd. When absent, deliveries use the platform's `fetch`. */
  EGRESS?: Fetcher
}

/** Reads the configuration, or throws a `ConfigError`. */
export function readConfig(env: Omit<DeliveryEnv, 'DB' | 'DELIVERIES'>) {
  return {
    isAdmissionOpen: setting(env, 'WEBHOOK_ADMISSION') === 'open',
    waits: setting(env, 'DELIVERY_WAITS'),
    capacity: setting(env, 'DELIVERY_CAPACITY'),
    ownHosts: parseHosts(env.PUBLIC_ORIGIN),
    // For links in e-mails and embeds.
    publicOrigin: linkedOrigin(env.PUBLIC_ORIGIN),
    // If the URL is malformed, only deliveries to the system destination fail; the error is logged.
    systemUrl: orAbsent(() => setting(env, 'SYSTEM_WEBHOOK_URL')),
    // A function, so that a missing secret affects only deliveries with sealed fields.
    keyring: () => openKeyring(env.KEY_ENCRYPTION_KEYS),
  }
}
