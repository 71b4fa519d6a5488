import { parseHosts } from '../../shared/destination.ts'
import { type Keyring, openKeyring } from '../../shared/keyring.ts'
import { parseWaits, type Waits } from '../../shared/retry.ts'
import type { Secrets } from '../../shared/secrets.ts'
import type { DeliveryMessage } from '../../shared/delivery.ts'

/** The bindings, variables and secrets that deliveries use. */
export interface DeliveryEnv extends Partial<
  Pick<Secrets, 'KEY_ENCRYPTION_KEYS' | 'SYSTEM_WEBHOOK_URL'>
> {
  DB: D1Database
  DELIVERIES: Queue<DeliveryMessage>
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
  waits: Waits
  capacity: number
  ownHosts: string[]
  systemUrl: string | undefined
  keyring: () => Keyring
}

/** The configuration, or an error that names the variable and never its value. */
export function readConfig(env: DeliveryEnv): DeliveryConfig {
  return {
    isAdmissionOpen:
      oneOf(['closed', 'open'], env.WEBHOOK_ADMISSION, 'WEBHOOK_ADMISSION') === 'open',
    transportName: oneOf(['pinned', 'fetch'], env.DELIVERY_TRANSPORT, 'DELIVERY_TRANSPORT'),
    waits: parseWaits(env.DELIVERY_WAITS),
    capacity: wholeNumber(env.DELIVERY_CAPACITY, 'DELIVERY_CAPACITY'),
    ownHosts: parseHosts(env.PUBLIC_HOSTS),
    systemUrl: env.SYSTEM_WEBHOOK_URL,
    // Opened when a field is: without the secret only the deliveries that need it wait.
    keyring: () => openKeyring(env.KEY_ENCRYPTION_KEYS),
  }
}

function oneOf<const Value extends string>(
  allowed: readonly Value[],
  text: string,
  name: string,
): Value {
  const found = allowed.find((value) => value === text)
  if (!found) throw new Error(`${name} must be ${allowed.join(' or ')}`)
  return found
}

function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new Error(`${name} must be a whole number`)
  return Number(text)
}
