import { Hono } from 'hono'
import type { Deps, SiteContext, SiteEnv } from '../context.ts'
import { apiHeaders } from './api-frame.ts'
import { notFound } from '../errors.ts'
import { githubApp } from './auth.ts'
import { authOf, passCookies } from './session.ts'

export function githubConfigured(env: SiteEnv): boolean {
  return githubApp(env) !== undefined
}

/** The way to GitHub, from the sign-in page's second button. */
export function githubStart(_deps: Deps) {
  return new Hono<SiteContext>().post('/entrar/github', async (c) => {
    if (!githubConfigured(c.env)) throw notFound()

    const { response, headers } = await authOf(c).api.signInSocial({
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
