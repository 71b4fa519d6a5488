import type { Context, MiddlewareHandler } from 'hono'
import type { AccountContext, SignedIn, Visit } from '../context.ts'
import { unauthorized } from '../errors.ts'
import { openAuth } from './auth.ts'

/** The session that the request's cookie opens; null for none, an expired or an ended one. */
export async function readSession(c: Visit): Promise<SignedIn | null> {
  if (!c.req.header('Cookie')) return null

  const found = await authOf(c).api.getSession({ headers: c.req.raw.headers })
  return (
    found && {
      sessionId: found.session.id,
      accountId: found.user.id,
      email: found.user.email,
      accountCreatedAt: found.user.createdAt.getTime(),
    }
  )
}

/** For pages: redirects to the sign-in page without a session. */
export const signedInPage: MiddlewareHandler<AccountContext> = async (c, next) => {
  const signedIn = await readSession(c)
  if (!signedIn) return c.redirect('/cuenta/entrar', 303)

  c.set('signedIn', signedIn)
  return next()
}

/** For JSON: requires a session. API keys do not manage accounts. */
export const signedInApi: MiddlewareHandler<AccountContext> = async (c, next) => {
  const signedIn = await readSession(c)
  if (!signedIn) throw unauthorized()

  c.set('signedIn', signedIn)
  return next()
}

/** Ends the request's session in the database; the headers make the browser forget its cookie. */
export async function endSession(c: Visit): Promise<Headers> {
  const response = await authOf(c).api.signOut({ headers: c.req.raw.headers, asResponse: true })
  return response.headers
}

/** Adds the cookies of the sign-in library's response to ours. */
export function passCookies(from: Headers, c: Context): void {
  for (const cookie of from.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
}

/** The library for operations without mail. */
export function authOf(c: Visit) {
  return openAuth({
    env: c.env,
    origin: c.var.origin,
    deliver: async () => {
      throw new Error('no mail goes out from here')
    },
  })
}
