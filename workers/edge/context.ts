import type { Instant } from '../../shared/argentine-time.ts'
import type { RandomBytes } from '../../shared/crypto/random.ts'
import type { Secrets, Variables } from '../../shared/config/config.ts'

/**
 * The bindings, variables and secrets of the edge. In `standalone` the site is a function instead
 * of a service.
 */
export type EdgeEnv = Omit<Cloudflare.EdgeEnv, 'SITE'> &
  Variables &
  Pick<Secrets, 'KEY_ENCRYPTION_KEYS'> & { SITE?: Fetcher }

export type EdgeHandler = (
  request: Request,
  env: EdgeEnv,
  context: ExecutionContext,
) => Response | Promise<Response>

/** Clock and random bytes, passed in so that tests can choose them. */
export interface Deps {
  now: () => Instant
  /** For ids and secrets. */
  random: RandomBytes
}

/** The dependencies of the edge, with the site behind it. */
export interface EdgeDeps extends Deps {
  /** Handles everything outside the API: pages and the account area. */
  site: EdgeHandler
}

/**
 * Counts a request against its client's limit. Returns the 429 when it exceeds the limit, else
 * null.
 */
export type LimitRead = (
  request: Request,
  env: EdgeEnv,
  context: Pick<ExecutionContext, 'waitUntil'>,
) => Response | null

export interface EdgeContext {
  Bindings: EdgeEnv
  Variables: {
    now: Deps['now']
    /** Whether a call to the database has failed in this request. */
    databaseFailed: () => boolean
    /** The account and key of the request, set by `requireKey`. */
    account: { accountId: string; keyId: string }
    /** The parameters that the route reads; it ignores others. */
    parameters: readonly string[]
    /** The limit by client of the route; undefined when it has none. */
    limitRead: LimitRead | undefined
  }
}
