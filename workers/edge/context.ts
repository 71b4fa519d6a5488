import type { MiddlewareHandler } from 'hono'
import type { Instant } from '../../shared/argentine-time.ts'
import type { Board, Mode } from '../../shared/board/board.ts'
import type { DateResponseCache } from './date-response-cache.ts'
import type { UnknownKeyLimit } from '../../shared/access/unknown-key-limit.ts'

/**
 * The bindings of the edge. In `standalone` the site and management are functions instead of
 * services, and there is no cache in front.
 */
export type EdgeEnv = Omit<Cloudflare.EdgeEnv, 'SITE' | 'MANAGEMENT' | 'EDGE_CACHE'> & {
  SITE?: Fetcher
  MANAGEMENT?: ManagementService
}

/** The site's entry point `Management`. Only a Worker bound to it can call it. */
interface ManagementService {
  answer(request: Request, accountId: string): Promise<Response>
}

type Handler = (request: Request, env: EdgeEnv, context: ExecutionContext) => Promise<Response>

/** What tests can choose: the clock, and who answers behind the gate of management. */
export interface Deps {
  now: () => Instant
  /** Answers `/api/v2/webhooks` and `/api/v2/alerts` for an account whose key was verified. */
  manage: (
    request: Request,
    accountId: string,
    env: EdgeEnv,
    context: ExecutionContext,
  ) => Promise<Response>
}

/** What the edge is made with, and the site behind it. */
export interface EdgeDeps extends Deps {
  /** Handles everything outside the API: pages, the account area, the MCP endpoint. */
  site: Handler
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
    /** Whether a call of the database has failed in this request. */
    databaseFailed?: () => boolean
    /** The account and key of the request, behind `requireKey`. */
    account: { accountId: string; keyId: string }
  }
}
