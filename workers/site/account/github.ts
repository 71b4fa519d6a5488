import { Hono } from 'hono'
import type { SiteContext, SiteEnv } from '../context.ts'
import { apiHeaders } from './api-frame.ts'
import { pruneSessions } from '../db/accounts/sessions.ts'
import { notFound } from '../errors.ts'
import { githubApp } from './auth.ts'
import { authOf, passCookies } from './session.ts'
import { limitSignIn, type SignInDeps } from './sign-in-limits.ts'

export function githubConfigured(env: SiteEnv): boolean {
  return githubApp(env) !== undefined
}

/**
 * The redirect to GitHub, from the sign-in page's second button. Each start stores a row, so starts
 * are limited and pruned like sign-in links.
 */
export function githubStart(deps: Pick<SignInDeps, 'now' | 'limitGuesses'>) {
  return new Hono<SiteContext>().post('/entrar/github', async (c) => {
    if (!githubConfigured(c.env)) throw notFound()

    const auth = authOf(c)
    await limitSignIn(c, deps)
    await pruneSessions(c.env.DB, deps.now())
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
 * The callback of GitHub, the only route of the sign-in library that is reachable. The library has
 * no route for HEAD, which would sign nobody in.
 */
export function githubCallback({ limitGuesses }: Pick<SignInDeps, 'limitGuesses'>) {
  return new Hono<SiteContext>().use(apiHeaders).get('/callback/github', async (c) => {
    if (!githubConfigured(c.env)) throw notFound()

    const signedIn = await limitGuesses(c, c.req.query('state') ?? '', async () => {
      const answer = await authOf(c).handler(c.req.raw)
      const location = answer.headers.get('Location')
      passCookies(answer.headers, c)
      return location === null || location.includes('error') ? null : location
    })
    return c.redirect(signedIn ? '/cuenta' : '/cuenta/entrar?aviso=github', 303)
  })
}
