/** Sessions, and the tokens without which no form of a session is accepted. */
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { toBase64url } from '../../../shared/encoding.ts'
import { hmacSha256 } from '../../../shared/crypto/hmac.ts'
import type { AccountContext, Fields, SignedIn, Visit } from '../context.ts'
import { badRequest, HttpError, unauthorized } from '../../../shared/http-error.ts'
import { Session } from '../layout.tsx'
import { openAuth } from './auth.ts'
import { foreignRequest } from './guards.ts'

export const FIELDS_MISSING = 'Faltan los datos del formulario'

/** HMAC-SHA256 of `purpose` and text, in base64url. A hash is valid only for its purpose. */
export async function keyedHash(secret: string, purpose: string, text: string): Promise<string> {
  return toBase64url(await hmacSha256(secret, `${purpose}:${text}`))
}

/** The session of the request's cookie; null when it is absent, expired or ended. */
export async function readSession(c: Visit): Promise<SignedIn | null> {
  if (!c.req.header('Cookie')) return null

  const found = await openAuth(c).api.getSession({ headers: c.req.raw.headers })
  return (
    found && {
      accountId: found.user.id,
      email: found.user.email,
      accountCreatedAt: found.user.createdAt.getTime(),
      token: await keyedHash(c.env.SESSION_SECRET, 'form', found.session.id),
    }
  )
}

/**
 * For pages: without a session, redirects to the sign-in page. Refuses a submitted form without the
 * session's token, which pages of other sites cannot read.
 */
export const signedInPage: MiddlewareHandler<AccountContext> = async (c, next) => {
  const signedIn = await readSession(c)
  if (!signedIn) return c.redirect('/cuenta/entrar', 303)

  c.set('signedIn', signedIn)
  c.setRenderer((page) => c.html(<Session.Provider value={signedIn}>{page}</Session.Provider>))
  const isForm = c.req.method === 'POST'
  const fields: Fields = isForm ? await readForm(c) : {}
  const [wanted, given] = await Promise.all([signedIn.token, fields['token'] ?? ''].map(digest))
  if (isForm && !crypto.subtle.timingSafeEqual(wanted!, given!)) throw foreignRequest()
  c.set('fields', fields)
  return next()
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
}

/** For JSON: requires a session. An API key is not enough to manage an account. */
export const signedInApi: MiddlewareHandler<AccountContext> = async (c, next) => {
  const signedIn = await readSession(c)
  if (!signedIn) throw unauthorized()

  c.set('signedIn', signedIn)
  return next()
}

/** Ends the request's session in the database, and makes the browser forget its cookie. */
export async function endSession(c: Visit & Pick<Context, 'header'>): Promise<void> {
  const { headers } = c.req.raw
  passCookies((await openAuth(c).api.signOut({ headers, asResponse: true })).headers, c)
}

/** Adds the cookies of the sign-in library's response to ours. */
export function passCookies(from: Headers, c: Pick<Context, 'header'>): void {
  for (const cookie of from.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
}

/** The text fields of a submitted form; files count as absent. */
export async function readForm(c: Visit): Promise<Fields> {
  const fields = await c.req.parseBody().catch(() => {
    throw badRequest('Los datos del formulario no se entienden')
  })
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) =>
      typeof text === 'string' ? [[name, text]] : [],
    ),
  )
}

/** Adds the forms of a page. A refused form shows the page again, with the reason. */
export function addForms<E extends AccountContext>(
  app: Hono<E>,
  show: (c: Context<E>, refusal: HttpError) => string | Promise<string>,
  forms: Readonly<Record<string, (c: Context<E>) => Promise<Response>>>,
): void {
  for (const [path, act] of Object.entries(forms))
    app.post(path, async (c) => {
      try {
        return await act(c)
      } catch (error) {
        if (!(error instanceof HttpError)) throw error

        if (error.retryAfter) c.header('Retry-After', String(error.retryAfter))
        c.status(error.status)
        return c.render(await show(c, error))
      }
    })
}
