import type { Context, MiddlewareHandler } from 'hono'
import type { Day, Instant } from '../../shared/argentine-time.ts'
import type { Board } from '../../shared/board/board.ts'
import type { Pair } from '../../shared/market/catalog.ts'
import type { DateQuery } from '../../shared/market/date-query.ts'
import type { QuotedPoint } from '../../shared/market/quoted-point.ts'
import type { KeptResponses } from './past/kept-past.ts'
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

/** Counts a request against its client's limit: the 429 when it is past that, else null. */
export type CountRead = (
  request: Request,
  env: EdgeEnv,
  context: Pick<ExecutionContext, 'waitUntil'>,
) => Response | null

/** What the routes of one app share. */
export interface AppDeps extends Deps {
  unknownKeys: UnknownKeyLimit
  /** Counts date reads; whatever asks the database without a key stands behind it. */
  dateRateLimit: MiddlewareHandler<EdgeContext>
  /** Counts days at the compatibility addresses. */
  countCompatibilityDay: CountRead
  /** Whole answers about days that are over. */
  responses: KeptResponses
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

export type PastQuery = Pick<DateQuery, 'day' | 'effectiveAt' | 'closed' | 'current'>

/** The values in effect at an instant. */
export interface PastQuotes {
  /** In the order of the pairs asked; null for a pair without a value yet. */
  quotes: readonly (QuotedPoint | null)[]
  /** The past that they are of, as `PastReader.revisionOf`. */
  revision: number | null
}

export interface PastReader {
  /** Throws a 503 when the database fails. */
  quotesAsOf(c: Context<EdgeContext>, pairs: readonly Pair[], query: PastQuery): Promise<PastQuotes>
  /**
   * The revision of the past that what is read from now on belongs to, or a later one; null while
   * the day may change without another revision, and when no board tells.
   */
  revisionOf(env: EdgeEnv, day: Day): Promise<number | null>
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
