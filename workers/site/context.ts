import type { Context } from 'hono'
import type { Instant } from '../../shared/argentine-time.ts'
import type { Board } from '../../shared/board/board.ts'
import type { RandomBytes } from '../../shared/crypto/random.ts'
import type { Secrets, Variables } from '../../shared/config/config.ts'
import type { Pair } from '../../shared/market/catalog.ts'
import type { Mail } from '../../shared/mail.ts'
import type { SentTo } from './mail.ts'

/** The bindings, variables and secrets of the site. */
export type SiteEnv = Pick<
  Cloudflare.SiteEnv,
  'DB' | 'BOARD' | 'DATE_READS' | 'DELIVERIES' | 'EMAIL' | 'UNKNOWN_KEYS'
> &
  Variables &
  Pick<
    Secrets,
    'KEY_ENCRYPTION_KEYS' | 'SESSION_SECRET' | 'GITHUB_CLIENT_ID' | 'GITHUB_CLIENT_SECRET'
  >

/** Clock, random bytes and mail, passed in so that tests can choose them. */
export interface Deps {
  now: () => Instant
  random: RandomBytes
  /** Sends a mail, and returns where its reader finds it. Rejects if the mail is not accepted. */
  sendMail: (env: SiteEnv, mail: Mail) => Promise<SentTo>
}

export interface SiteContext {
  Bindings: SiteEnv
  Variables: {
    /** Whether a call to the database has failed in this request. */
    databaseFailed: () => boolean
    now: () => Instant
    /** The board, set by `withBoard`; null when there is none. */
    board: Board | null
    /** The pair of the path, set by `inCatalogue`. */
    pair: Pair
    /** Our own origin, for links and the check of `Origin`. Never taken from the request. */
    origin: string
    /** The first of our origins, for the canonical address of each page. */
    canonicalOrigin: string
  }
}

/** The context that a helper needs, with or without a session. */
export type Visit = Pick<Context<SiteContext>, 'env' | 'var' | 'req'>

/** The signed-in account, and the token of its session's forms. */
export interface SignedIn {
  accountId: string
  email: string
  accountCreatedAt: Instant
  token: string
}

export type Fields = Readonly<Record<string, string>>

/** A request with a session, and with the fields of a submitted form. */
export interface AccountContext extends SiteContext {
  Variables: SiteContext['Variables'] & { signedIn: SignedIn; fields: Fields }
}
