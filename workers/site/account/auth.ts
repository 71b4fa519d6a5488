import { betterAuth } from 'better-auth/minimal'
import { APIError } from 'better-auth/api'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { magicLink } from 'better-auth/plugins/magic-link'
import { orAbsent } from '../../../shared/log.ts'
import { setting } from '../../../shared/config/config.ts'
import { openDatabase } from '../../../shared/db/accounts.ts'
import * as schema from '../../../shared/db/schema.ts'
import { hashKey as sha256 } from '../../../shared/access/api-key.ts'
import type { SiteEnv, Visit } from '../context.ts'
import { HttpError } from '../../../shared/http-error.ts'

/** How long a sign-in link is valid. */
export const LINK_MINUTES = 10

/** A session ends this long after the sign-in, used or not. */
const SESSION_SECONDS = 14 * 24 * 60 * 60

/** The library's names for our tables. */
const TABLES = {
  provider: 'sqlite',
  transaction: false,
  schema: {
    user: schema.accounts,
    session: schema.sessions,
    account: schema.identities,
    verification: schema.verifications,
  },
} as const

/** Empties fields of sessions and of GitHub accounts, so that they are never stored. */
const NO_CLIENT = { ipAddress: null, userAgent: null }
const NO_TOKENS = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
}

/** Sends the token of a new sign-in link to its owner. */
type Deliver = (email: string, token: string) => Promise<void>

/**
 * Opens the sign-in library on our tables. The library makes links, sessions and cookies. Limits,
 * pages and origin checks are ours, and no request reaches the library without them. Each request
 * opens its own, because the library keeps state of the request.
 */
export function openAuth({ env, var: { origin } }: Visit, deliver: Deliver = neverMail) {
  const secret = orAbsent(() => setting(env, 'SESSION_SECRET'))
  if (secret === undefined)
    throw new HttpError(503, 'El acceso a las cuentas todavía no está configurado', {
      retryAfter: 3600,
    })
  const github = githubApp(env)

  return betterAuth({
    baseURL: origin,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [origin],
    database: drizzleAdapter(openDatabase(env.DB), TABLES),
    session: {
      fields: { userId: 'accountId' },
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
    },
    account: {
      fields: { userId: 'ownerId', accountId: 'subject', providerId: 'provider' },
      updateAccountOnSignIn: false,
    },
    verification: { disableCleanup: true }, // `pruneSessions` deletes expired verifications
    socialProviders: github ? { github } : {},
    databaseHooks: {
      user: { create: { before: requireProvenAddress } },
      session: { create: { before: async (session) => ({ data: { ...session, ...NO_CLIENT } }) } },
      account: { create: { before: async (account) => ({ data: { ...account, ...NO_TOKENS } }) } },
    },
    plugins: [
      magicLink({
        expiresIn: LINK_MINUTES * 60,
        storeToken: { type: 'custom-hasher', hash: sha256 },
        sendMagicLink: ({ email, token }) => deliver(email, token),
      }),
    ],
    advanced: {
      cookiePrefix: 'cuenta',
      cookies: { session_token: { name: sessionCookieName(origin) } },
      useSecureCookies: false, // no prefix for our cookie names; `secure` is set below
      defaultCookieAttributes: {
        httpOnly: true,
        secure: origin.startsWith('https:'),
        sameSite: 'lax',
        path: '/',
      },
      // A function, because with 'uuid' the library drops the ids that it chooses itself.
      database: { generateId: () => crypto.randomUUID() },
      ipAddress: { disableIpTracking: true },
      disableOriginCheck: false,
    },
    rateLimit: { enabled: false }, // our own limits are exact: workers/site/db/sign-in.ts
    telemetry: { enabled: false },
    logger: { disabled: true }, // its log would hold e-mails and query parameters
  })
}

async function neverMail(): Promise<void> {
  throw new Error('no mail goes out from here')
}

/** Our GitHub application; undefined unless both of its settings are configured. */
export function githubApp(env: Pick<SiteEnv, 'GITHUB_CLIENT_ID' | 'GITHUB_CLIENT_SECRET'>) {
  const clientId = orAbsent(() => setting(env, 'GITHUB_CLIENT_ID'))
  const clientSecret = orAbsent(() => setting(env, 'GITHUB_CLIENT_SECRET'))
  return clientId && clientSecret ? { clientId, clientSecret } : undefined
}

/** The library's identifier of a link in `verifications`. */
export async function linkIdentifier(token: string): Promise<string> {
  return `magic-link:${await sha256(token)}`
}

/**
 * `__Host-` stops other subdomains from setting the cookie. Browsers accept the prefix only over
 * https, and `npm start` serves http.
 */
function sessionCookieName(origin: string): string {
  return origin.startsWith('https://') ? '__Host-session' : 'session'
}

/**
 * An unverified address must not open an account: its real owner would later sign in to an account
 * with another person's keys.
 */
async function requireProvenAddress(user: { emailVerified: boolean }): Promise<void> {
  if (!user.emailVerified) throw new APIError('FORBIDDEN', { code: 'email_not_verified' })
}
