import type { MiddlewareHandler } from 'hono'
import type { Instant } from '../../shared/argentine-time.ts'
import type { Board, Mode } from '../../shared/board/board.ts'
import type { RandomBytes } from '../../shared/crypto/random.ts'
import type { Secrets } from '../../shared/crypto/secrets.ts'
import type { DateResponseCache } from './date-response-cache.ts'
import type { UnknownKeyLimit } from '../../shared/access/unknown-key-limit.ts'

/**
 * The bindings of the edge, and the secret that no configuration file names. In `standalone` the
 * site is a function instead of a service.
 */
export type EdgeEnv = Omit<Cloudflare.EdgeEnv, 'SITE'> &
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

/** What the edge is made with, and the site behind it. */
export interface EdgeDeps extends Deps {
  /** Handles everything outside the API: pages and the account area. */
  site: EdgeHandler
}

/**
 * Counts a request against its client's limit. Returns the 429 when it exceeds the limit, else
 * null.
 */
export type CountRead = (
  request: Request,
  env: EdgeEnv,
  context: Pick<ExecutionContext, 'waitUntil'>,
) => Response | null

/** What the routes of one app share. */
export interface AppDeps extends Deps {
  unknownKeys: UnknownKeyLimit
  /** Counts date reads. Every route that reads the database without a key is behind it. */
  dateRateLimit: MiddlewareHandler<EdgeContext>
  /** Counts days at the compatibility addresses. */
  countCompatibilityDay: CountRead
  dateResponses: DateResponseCache
  /** The isolate's board, which the current reads also use. */
  board: BoardReader
}

interface BoardReader {
  /** The board in memory, read again when it is due; null when neither KV nor D1 has one. */
  read(
    env: EdgeEnv,
    context: ExecutionContext,
    now: () => Instant,
  ): Promise<{ board: Board } | null>
  mode(env: EdgeEnv, context: ExecutionContext, now: () => Instant): Promise<Mode>
}

export interface EdgeContext {
  Bindings: EdgeEnv
  Variables: {
    now: Deps['now']
    /** Whether a call of the database has failed in this request. */
    databaseFailed: () => boolean
    /** The account and key of the request, behind `requireKey`. */
    account: { accountId: string; keyId: string }
  }
}
