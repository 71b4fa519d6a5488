import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { cookieOf, openSite } from '../support/site.ts'
import { changeRows, countRows, readRows } from '../support/rows.ts'

beforeAll(() => openSite().fetch('/cuenta/entrar'), 60_000)
afterEach(() => vi.unstubAllGlobals())

const configured = { env: { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' } }

/** A GitHub that answers for one person, whose primary address is `email`. */
function stubGithub(email: string, { verified }: { verified: boolean }): void {
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url === 'https://github.com/login/oauth/access_token')
      return Response.json({
        access_token: 'gho_secret',
        token_type: 'bearer',
        scope: 'user:email',
      })
    if (url === 'https://api.github.com/user')
      return Response.json({ id: 42, login: 'ana', name: 'Ana', email, avatar_url: '' })
    if (url === 'https://api.github.com/user/emails')
      return Response.json([{ email, primary: true, verified, visibility: 'private' }])
    throw new Error(`unexpected request to ${url}`)
  })
}

/** Goes to GitHub and comes back, in one browser. */
async function signInWithGithub(
  site: ReturnType<typeof openSite>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Response> {
  const start = await site.post('/cuenta/entrar/github', {})
  await meanwhile()
  const state = new URL(start.headers.get('Location')!).searchParams.get('state')!
  const cookies = start.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return site.fetch(`/api/auth/callback/github?code=good&state=${state}`, {
    headers: { Cookie: cookies.join('; ') },
  })
}

const rows = () => countRows('verifications')

describe('signing in with GitHub', () => {
  it('opens an account for a proven address, keeping none of its tokens', async () => {
    stubGithub('ana@ejemplo.com.ar', { verified: true })
    const site = openSite(configured)
    const back = await signInWithGithub(site)
    expect(back.headers.get('Location')).toBe('/cuenta')

    const account = await site.json(cookieOf(back), 'GET', '/api/account')
    expect(await account.json()).toMatchObject({ account: { email: 'ana@ejemplo.com.ar' } })
    const identities = await readRows('identities')
    expect(identities).toMatchObject([{ provider: 'github', subject: '42' }])
    expect(JSON.stringify(identities)).not.toContain('gho_secret')
  })

  it('opens the account that the same address has already, and again later', async () => {
    stubGithub('ana@ejemplo.com.ar', { verified: true })
    const site = openSite(configured)
    const byLink = await site.signIn('ana@ejemplo.com.ar')
    await site.json(byLink, 'POST', '/api/account/keys', { name: 'una' })

    for (let i = 0; i < 2; i++) {
      const cookie = cookieOf(await signInWithGithub(site))
      const { keys } = await (
        await site.json(cookie, 'GET', '/api/account/keys')
      ).json<{ keys: object[] }>()
      expect(keys).toHaveLength(1)
    }
    expect(JSON.stringify(await readRows('identities'))).not.toContain('gho_secret')
  })

  it('is refused for an address that GitHub has not proven', async () => {
    stubGithub('victima@ejemplo.com', { verified: false })
    const site = openSite(configured)
    const back = await signInWithGithub(site)
    expect(back.headers.get('Location')).toBe('/cuenta/entrar?aviso=github')
    expect(back.headers.getSetCookie().join()).not.toMatch(/__Host-session=[^;]/)
    expect(await countRows('accounts')).toBe(0)

    await site.signIn('victima@ejemplo.com')
    await signInWithGithub(site)
    expect(await countRows('identities')).toBe(0)
  })

  it.each(['', 'x', 'null', '{}', '{"callbackURL":7}'])(
    'is refused when the row of its beginning is damaged (%j)',
    async (value) => {
      stubGithub('ana@ejemplo.com.ar', { verified: true })
      const site = openSite(configured)
      const damage = () => changeRows('verifications', { value })
      const back = await signInWithGithub(site, damage)
      expect([back.status, back.headers.get('Location')]).toEqual([
        303,
        '/cuenta/entrar?aviso=github',
      ])
    },
  )

  it('is refused in another browser than the one that set out', async () => {
    stubGithub('ana@ejemplo.com.ar', { verified: true })
    const site = openSite(configured)
    const start = await site.post('/cuenta/entrar/github', {})
    const state = new URL(start.headers.get('Location')!).searchParams.get('state')!
    const back = await site.fetch(`/api/auth/callback/github?code=good&state=${state}`)
    expect(back.headers.get('Location')).toBe('/cuenta/entrar?aviso=github')
    expect(await countRows('sessions')).toBe(0)
  })

  it('begins 20 times in ten minutes from one address, and writes nothing past that', async () => {
    const site = openSite(configured)
    const begin = (address = '192.0.2.7') =>
      site.post('/cuenta/entrar/github', {}, { 'CF-Connecting-IP': address })
    const answers = await Promise.all(Array.from({ length: 24 }, () => begin()))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(20)
    expect(refused).toHaveLength(4)
    expect(Number(refused[0]!.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
    expect(await refused[0]!.text()).toContain('Quisiste entrar demasiadas veces')
    expect(await rows()).toBe(20)

    expect((await begin('192.0.2.8')).status).toBe(303)
  })

  it('begins 30 times from one IPv6 /48', async () => {
    const site = openSite(configured)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        site.post('/cuenta/entrar/github', {}, { 'CF-Connecting-IP': `2001:db8:1:${i}::1` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(30)
    expect(await rows()).toBe(30)
  })

  it('removes the beginnings that died', async () => {
    const site = openSite(configured)
    await site.post('/cuenta/entrar/github', {})
    expect(await rows()).toBe(1)
    site.clock.now += 24 * 60 * MINUTE_MS
    await site.post('/cuenta/entrar/github', {})
    expect(await rows()).toBe(1)
  })

  it('is answered as everything under /api/: never stored, readable without credentials', async () => {
    const site = openSite(configured)
    for (const path of ['/api/auth/callback/github?code=x&state=y', '/api/auth/otra']) {
      const { headers } = await site.fetch(path)
      expect(headers.get('Access-Control-Allow-Origin'), path).toBe('*')
      expect(headers.get('Cache-Control'), path).toBe('no-store')
    }
  })

  it('sends HEAD where GET goes', async () => {
    const site = openSite(configured)
    const path = '/api/auth/callback/github?code=x&state=y'
    const [get, head] = [await site.fetch(path), await site.fetch(path, { method: 'HEAD' })]
    expect(get.headers.get('Location')).toBe('/cuenta/entrar?aviso=github')
    expect(head.headers.get('Location')).toBe('/cuenta/entrar?aviso=github')
  })
})
