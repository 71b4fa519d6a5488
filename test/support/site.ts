import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import type { SiteEnv } from '../../workers/site/context.ts'
import type { Mail } from '../../shared/mail.ts'
import type { SentTo } from '../../workers/site/mail.ts'
import { createSite } from '../../workers/site/app.ts'
import { type Bindings, env } from './env.ts'
import { randomBytes as random } from '../../tools/support/random.ts'

export const ORIGIN = 'https://cotizaciones.test'

interface Options {
  env?: Bindings<SiteEnv>
  sendMail?: (env: SiteEnv, mail: Mail) => Promise<SentTo>
}

/** The site over the test's storage, with a mailbox that the test reads. */
export function openSite(options: Options = {}) {
  const mails: Mail[] = []
  const clock = { now: Date.now() } // the sign-in library uses the real clock
  const site = createSite({
    now: () => clock.now,
    random,
    sendMail: options.sendMail ?? (async (_, mail) => (mails.push(mail), 'mailbox')),
  })
  const siteEnv = {
    ...env,
    SESSION_SECRET: 'a secret of the tests, long enough to be one: 0123456789',
    GITHUB_CLIENT_ID: 'id',
    GITHUB_CLIENT_SECRET: 'secret',
    ...options.env,
  } as SiteEnv

  async function fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const context = createExecutionContext()
    const request = new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init })
    const response = await site.fetch(request, siteEnv, context)
    await waitOnExecutionContext(context)
    return response
  }

  /** Submits a form as a browser on our own page does. */
  function post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(path, {
      method: 'POST',
      headers: { Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin', ...headers },
      body: new URLSearchParams(fields),
    })
  }

  /** The token of the newest mailed link. */
  function lastToken(): string {
    const token = mails.at(-1)?.text.match(/token=(\S+)/)?.[1]
    if (!token) throw new Error('no link was mailed')
    return token
  }

  /** Requests a link and uses it. Returns the `Cookie` header of the session. */
  async function signIn(email = 'ana@ejemplo.com.ar'): Promise<string> {
    await post('/cuenta/entrar', { email })
    const response = await post('/cuenta/enlace', { enlace: lastToken() })
    return cookieOf(response)
  }

  /** The token in the forms of a session. */
  async function formToken(cookie: string): Promise<string> {
    const page = await (await fetch('/cuenta', { headers: { Cookie: cookie } })).text()
    const token = page.match(/name="token" value="([^"]+)"/)?.[1]
    if (!token) throw new Error('the page has no form token')
    return token
  }

  /** Sends JSON with a session, as a script on our own page does. */
  function json(cookie: string, method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(path, {
      method,
      headers: { Cookie: cookie, Origin: ORIGIN, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  return { clock, mails, fetch, post, lastToken, signIn, formToken, json }
}

export type TestSite = ReturnType<typeof openSite>

/** The session cookie of an answer, in the form of a request header. */
export function cookieOf(response: Response): string {
  const cookie = response.headers
    .getSetCookie()
    .find((cookie) => /^(__Host-)?session=[^;]/.test(cookie))
  if (!cookie) throw new Error(`no session cookie: ${response.status}`)
  return cookie.split(';')[0]!
}
