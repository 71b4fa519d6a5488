import { Hono } from 'hono'
import { clientAddress } from '../../../shared/access/client-address.ts'
import type { Deps, SiteContext, SiteEnv } from '../context.ts'
import { apiHeaders } from './api-frame.ts'
import { pruneSessions } from '../../../shared/db/accounts/sessions.ts'
import { notFound } from '../errors.ts'
import { githubApp } from './auth.ts'
import { authOf, passCookies } from './session.ts'
import { limitSignIn } from './sign-in-limits.ts'

export function githubConfigured(env: SiteEnv): boolean {
  return githubApp(env) !== undefined
}

/**
 * The way to GitHub, from the sign-in page's second button. Each beginning is a row until it ends
 * or dies, so it is limited and pruned as sign-in links are.
 */
export function githubStart({ now }: Pick<Deps, 'now'>) {
  return new Hono<SiteContext>().post('/entrar/github', async (c) => {
    if (!githubConfigured(c.env)) throw notFound()

    const auth = authOf(c)
    const at = now()
    await limitSignIn(c.env.DB, {
      address: clientAddress(c.req.raw.headers, c.env),
      secret: c.env.SESSION_SECRET,
      now: at,
    })
    await pruneSessions(c.env.DB, at)
    const { response, headers } = await auth.api.signInSocial({
      body: {
        provider: 'github',
        callbackURL: '/cuenta',
        errorCallbackURL: '/cuenta/entrar?aviso=github',
        disableRedirect: true,
      },
      headers: c.req.raw.headers,
      returnHeaders: true,
    })
    passCookies(headers, c)
    return c.redirect(response.url!, 303)
  })
}

/**
 * The way back. Nothing else of the sign-in library's own routes is reachable, and it has none for
 * HEAD, which signs nobody in.
 */
export function githubCallback(_deps: Deps) {
  return new Hono<SiteContext>().use(apiHeaders).get('/callback/github', async (c) => {
    if (!githubConfigured(c.env)) throw notFound()

    const answer = await authOf(c).handler(c.req.raw)
    const location = answer.headers.get('Location')
    passCookies(answer.headers, c)
    const signedIn = location !== null && !location.includes('error')
    return c.redirect(signedIn ? '/cuenta' : '/cuenta/entrar?aviso=github', 303)
  })
}
