import type { Context } from 'hono'
import type { Instant } from '../../shared/argentine-time.ts'
import type { Board } from '../../shared/board/board.ts'
import type { RandomBytes } from '../../shared/crypto/random.ts'
import type { Secrets } from '../../shared/crypto/secrets.ts'
import type { KeptResponses } from './kept/kept-responses.ts'
import type { Mail } from './mail.ts'

/** The bindings of the site, and the secrets that no configuration file names. */
export type SiteEnv = Pick<
  Cloudflare.SiteEnv,
  | 'DB'
  | 'BOARD'
  | 'CLIENT_ADDRESS_HEADER'
  | 'COMPATIBILITY'
  | 'DATE_READ_LIMIT'
  | 'DATE_READS'
  | 'DAILY_PRIVATE_BUDGET'
  | 'DELIVERY_WAITS'
  | 'DELIVERIES'
  | 'EMAIL'
  | 'MCP_REQUEST_LIMIT'
  | 'MAIL_FROM'
  | 'PUBLIC_HOSTS'
  | 'WEBHOOK_ADMISSION'
  | 'DELIVERY_CAPACITY'
> &
  Pick<
    Secrets,
    'KEY_ENCRYPTION_KEYS' | 'SESSION_SECRET' | 'GITHUB_CLIENT_ID' | 'GITHUB_CLIENT_SECRET'
  >

/** Clock, random bytes and mail, passed in so that tests can choose them. */
export interface Deps {
  now: () => Instant
  random: RandomBytes
  /** Rejects when the mail cannot be handed over. */
  sendMail: (env: SiteEnv, mail: Mail) => Promise<void>
}

export interface SiteContext {
  Bindings: SiteEnv
  Variables: {
    /** Whether a call of the database has failed in this request. */
    databaseFailed: () => boolean
    /** The answers that this isolate keeps. */
    kept: KeptResponses
    /** Where an answer is kept for the board (workers/site/kept): the board, null where there is none. */
    board: Board | null
    /** `https://host`, ours: what links are made with and what `Origin` must be. */
    origin: string
  }
}

/** What a helper needs of a request's context, whoever is signed in. */
export type Visit = Pick<Context<SiteContext>, 'env' | 'var' | 'req'>

/** Who is signed in, and in which session. */
export interface SignedIn {
  sessionId: string
  accountId: string
  email: string
  accountCreatedAt: Instant
}

/** A request that a session opened. */
export interface AccountContext extends SiteContext {
  Variables: SiteContext['Variables'] & { signedIn: SignedIn }
}
