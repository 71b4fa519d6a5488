import type { Instant } from '../argentine-time.ts'
import { setting, type Variables } from '../config/config.ts'
import { type Keyring, openKeyring } from '../crypto/sealed-box.ts'
import type { RandomBytes } from '../crypto/random.ts'
import { ok, refuse, type RefusedInput, type Result } from '../result.ts'
import { checkDestination, parseHosts, requestHost } from '../webhooks/destination/destination.ts'

/** What a change of a subscription needs, from the API or from the account pages. */
export interface SubscriptionContext {
  db: D1Database
  keyring: Keyring
  /** The service's own hosts, which no webhook may use (decision 62: our own hosts). */
  ownHosts: readonly string[]
  /** Whether users' subscriptions get deliveries (`WEBHOOK_ADMISSION`, decision 21). */
  admitted: boolean
  sendsMail: boolean
  /** Whether deliveries may go to a bare IP address. The platform's `fetch` accepts only names. */
  reachesAddresses: boolean
  /** At most this many deliveries may be open at once. */
  capacity: number
  now: Instant
  random: RandomBytes
}

/** The configuration of a Worker that manages webhooks. */
export interface SubscriptionEnv extends Pick<
  Variables,
  'PUBLIC_ORIGIN' | 'WEBHOOK_ADMISSION' | 'DELIVERY_CAPACITY' | 'MAIL_FROM'
> {
  DB: D1Database
  KEY_ENCRYPTION_KEYS: string
  /** The way out of deliveries where workerd runs on a machine of ours, not on Cloudflare. */
  EGRESS?: Fetcher
}

/** Throws a `ConfigError` when a variable has a wrong value. */
export function openSubscriptionContext(
  env: SubscriptionEnv,
  { requestUrl, ...deps }: Pick<SubscriptionContext, 'now' | 'random'> & { requestUrl: string },
): SubscriptionContext {
  return {
    db: env.DB,
    keyring: openKeyring(env.KEY_ENCRYPTION_KEYS),
    ownHosts: [...parseHosts(env.PUBLIC_ORIGIN), requestHost(requestUrl)],
    admitted: isAdmissionOpen(env),
    sendsMail: setting(env, 'MAIL_FROM') !== undefined,
    reachesAddresses: env.EGRESS !== undefined,
    capacity: setting(env, 'DELIVERY_CAPACITY'),
    ...deps,
  }
}

export function isAdmissionOpen(env: Pick<SubscriptionEnv, 'WEBHOOK_ADMISSION'>): boolean {
  return setting(env, 'WEBHOOK_ADMISSION') === 'open'
}

/** Checks a URL and returns its normalised form, to be stored. */
export function checkUrl(
  { ownHosts, reachesAddresses }: Pick<SubscriptionContext, 'ownHosts' | 'reachesAddresses'>,
  url: string,
): Result<string, RefusedInput> {
  const destination = checkDestination(url, ownHosts)
  if (!destination.ok) return refuse({ reason: destination.refusal.reason })
  if (destination.value.isAddress && !reachesAddresses)
    return refuse({
      reason: 'La URL debe llevar un nombre: desde acá no se llega a direcciones IP',
    })
  return ok(destination.value.url)
}
