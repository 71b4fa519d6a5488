import { afterEach, expect, it, vi } from 'vitest'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { changeRows, countRows, readRows } from '../support/rows.ts'
import { cookieOf, openSite, ORIGIN, type TestSite } from '../support/site.ts'

afterEach(() => vi.unstubAllGlobals())

const CALLBACK = '/api/auth/callback/github'

/** A stub of GitHub with one person, whose primary address is `email`. */
function stubGithub(email: string, { verified = true } = {}): void {
  const token = { access_token: 'gho_secret', token_type: 'bearer', scope: 'user:email' }
  const address = { email, primary: true, verified, visibility: 'private' }
  const answers: Record<string, object> = {
    'https://github.com/login/oauth/access_token': token,
    'https://api.github.com/user': { id: 42, login: 'ana', name: 'Ana', email, avatar_url: '' },
    'https://api.github.com/user/emails': [address],
  }
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!answers[url]) throw new Error(`unexpected request to ${url}`)
    return Response.json(answers[url])
  })
}

/** Goes to GitHub and returns, in one browser. */
async function signInWithGithub(site: TestSite, { sameBrowser = true } = {}) {
  const start = await site.post('/cuenta/entrar/github', {})
  const state = new URL(start.headers.get('Location')!).searchParams.get('state')!
  const cookies = start.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const headers = sameBrowser ? { Cookie: cookies.join('; ') } : {}
  return site.fetch(`${CALLBACK}?code=good&state=${state}`, { headers })
}

async function expectNobody(back: Response): Promise<void> {
  expect([back.status, back.headers.get('Location')]).toEqual([303, '/cuenta/entrar?aviso=github'])
  expect(back.headers.getSetCookie().join()).not.toMatch(/__Host-session=[^;]/)
  expect(await countRows('sessions')).toBe(0)
}

it('signing in with GitHub is offered and reachable only where configured', async () => {
  const without = openSite({ env: { GITHUB_CLIENT_SECRET: '' } })
  expect(await (await without.fetch('/cuenta/entrar')).text()).not.toContain('GitHub')
  expect(await (await openSite().fetch('/cuenta/entrar')).text()).toContain('GitHub')
  expect((await without.post('/cuenta/entrar/github', {})).status).toBe(404)
  expect((await without.fetch(CALLBACK)).status).toBe(404)
})

it('signing in with GitHub starts with a state that a cookie of the browser holds too', async () => {
  const response = await openSite().post('/cuenta/entrar/github', {})
  expect(response.status).toBe(303)
  const to = new URL(response.headers.get('Location')!)
  expect(to.origin).toBe('https://github.com')
  expect(to.searchParams.get('redirect_uri')).toBe(`${ORIGIN}${CALLBACK}`)
  expect(to.searchParams.get('state')).toBeTruthy()
  expect(response.headers.getSetCookie().join()).toMatch(/HttpOnly.*Secure|Secure.*HttpOnly/)
  const policy = response.headers.get('Content-Security-Policy')
  expect(policy).toContain("form-action 'self' https://github.com")
})

it('signing in with GitHub opens the account of a proven address, the same account again, and keeps no token', async () => {
  stubGithub('ana@ejemplo.com.ar')
  const site = openSite()
  const byLink = await site.signIn('ana@ejemplo.com.ar')
  await site.json(byLink, 'POST', '/api/account/keys', { name: 'una' })
  for (let i = 0; i < 2; i++) {
    const back = await signInWithGithub(site)
    expect(back.headers.get('Location')).toBe('/cuenta')
    const listed = await site.json(cookieOf(back), 'GET', '/api/account/keys')
    expect(await listed.json()).toMatchObject({ keys: [{ name: 'una' }] })
  }
  stubGithub('nueva@ejemplo.com')
  await changeRows('identities', { subject: '41' })
  const account = await site.json(cookieOf(await signInWithGithub(site)), 'GET', '/api/account')
  expect(await account.json()).toMatchObject({ account: { email: 'nueva@ejemplo.com' } })
  const identities = await readRows('identities')
  expect(identities.map(({ subject }) => subject).toSorted()).toEqual(['41', '42'])
  expect(JSON.stringify(identities)).not.toContain('gho_secret')
})

it('signing in with GitHub is refused for an address that GitHub has not proven', async () => {
  stubGithub('victima@ejemplo.com', { verified: false })
  const site = openSite()
  await expectNobody(await signInWithGithub(site))
  expect(await countRows('accounts')).toBe(0)
  await site.signIn('victima@ejemplo.com')
  await signInWithGithub(site)
  expect(await countRows('identities')).toBe(0)
})

it('signing in with GitHub is refused in a browser that did not start it', async () => {
  stubGithub('ana@ejemplo.com.ar')
  await expectNobody(await signInWithGithub(openSite(), { sameBrowser: false }))
})

it.each(['?code=x', '?code=x&state=forged', '?error=access_denied&state=y', ''])(
  'a return from GitHub with %s signs nobody in and is never stored, as GET and as HEAD',
  async (query) => {
    for (const method of ['GET', 'HEAD']) {
      const back = await openSite().fetch(`${CALLBACK}${query}`, { method })
      await expectNobody(back)
      expect(back.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(back.headers.get('Cache-Control')).toBe('no-store')
    }
  },
)

it('signing in with GitHub deletes expired starts', async () => {
  const site = openSite()
  await site.post('/cuenta/entrar/github', {})
  site.clock.now += 24 * 60 * MINUTE_MS
  await site.post('/cuenta/entrar/github', {})
  expect(await countRows('verifications')).toBe(1)
})
