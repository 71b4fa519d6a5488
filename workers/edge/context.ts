import type { Context, MiddlewareHandler } from 'hono'
import type { Instant } from '../../shared/argentine-time.ts'
import type { Board } from '../../shared/board/board.ts'
import type { Pair } from '../../shared/market/catalog.ts'
import type { DateQuery } from '../../shared/market/date-query.ts'
import type { QuotedPoint } from '../../shared/market/quoted-point.ts'
import type { UnknownKeyLimit } from './middleware/unknown-key-limit.ts'

/**
 * The bindings of the edge. In `standalone` the site and management are functions, not services, and
 * there is no cache in front.
 */
export type EdgeEnv = Omit<Cloudflare.EdgeEnv, 'SITE' | 'MANAGEMENT' | 'EDGE_CACHE'> & {
  SITE?: Fetcher
  MANAGEMENT?: ManagementService
}

/** The site's entry point of this name, called by RPC: only a Worker bound to it can. */
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

/** What stands behind the edge, and what it is made with itself. */
export interface EdgeDeps extends Deps {
  /** Answers everything that is not the API: pages, the account area, the tools of assistants. */
  site: Handler
}

/** What the routes of one app share. */
export interface AppDeps extends Deps {
  unknownKeys: UnknownKeyLimit
  /** The one counter of date reads; whatever asks the database without a key stands behind it. */
  dateRateLimit: MiddlewareHandler<EdgeContext>
  /** The isolate's board, the same that the current reads answer from. */
  board: BoardReader
  /** What was in effect at an instant, of this isolate's own documents, of KV or of D1. */
  past: PastReader
}

/** Reads the board in memory, again when it is due; null when neither KV nor D1 has one. */
export interface BoardReader {
  read(
    env: EdgeEnv,
    context: ExecutionContext,
    now: () => Instant,
  ): Promise<{ board: Board } | null>
  /** The board in memory, while it needs no other look. */
  fresh(now: Instant): { board: Board } | null
}

export type PastQuery = Pick<DateQuery, 'day' | 'effectiveAt' | 'closed'>

export interface PastReader {
  /** The values in effect, in the order of the pairs; throws a 503 when the database fails. */
  quotesAsOf(
    c: Context<EdgeContext>,
    pairs: readonly Pair[],
    query: PastQuery,
  ): Promise<(QuotedPoint | null)[]>
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
