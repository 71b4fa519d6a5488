import type { Instant } from '../../shared/argentine-time.ts'
import type { RandomBytes } from '../../shared/crypto/random.ts'
import type { Secrets } from '../../shared/crypto/secrets.ts'
import type { UnknownKeyLimit } from '../../shared/access/unknown-key-limit.ts'

/**
 * The bindings of the edge. In `standalone` the site is a function, not a service, and there is no
 * cache in front.
 */
export type EdgeEnv = Omit<Cloudflare.EdgeEnv, 'SITE' | 'EDGE_CACHE'> & Secrets & { SITE?: Fetcher }

/** Clock, random bytes and neighbours, passed in so that tests can choose them. */
export interface Deps {
  now: () => Instant
  /** For ids and secrets; the platform's when absent. */
  random?: RandomBytes
  /** Answers everything that is not the API: pages, the account area, MCP. */
  site: (request: Request, env: EdgeEnv, context: ExecutionContext) => Promise<Response>
}

/** What the routes of one app share. */
export interface AppDeps extends Deps {
  unknownKeys: UnknownKeyLimit
}

export interface EdgeContext {
  Bindings: EdgeEnv
  Variables: {
    /** Whether a call of the database has failed in this request. */
    databaseFailed?: () => boolean
    /** Who asks, behind `requireKey`. */
    account: { accountId: string; keyId: string }
  }
}
