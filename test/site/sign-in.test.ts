import { beforeAll, describe, expect, it, vi } from 'vitest'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { sendThroughBinding } from '../../workers/site/mail.ts'
import { cookieOf, openSite, ORIGIN } from '../support/site.ts'
import { changeRows, countRows, readRows } from '../support/rows.ts'

// The sign-in library is large: load it before a test's own time runs.
beforeAll(() => openSite().fetch('/cuenta/entrar'), 60_000)

describe('a sign-in link', () => {
  it('is mailed, opens a page, and its button signs in', async () => {
    const site = openSite()
    const asked = await site.post('/cuenta/entrar', { email: ' Ana@Ejemplo.com.ar ' })
    expect(asked.status).toBe(200)
    expect(site.mails).toHaveLength(1)
    expect(site.mails[0]).toMatchObject({ to: 'ana@ejemplo.com.ar' })
    expect(site.mails[0]!.text).toContain(`${ORIGIN}/cuenta/enlace?token=`)

    const page = await site.fetch(`/cuenta/enlace?token=${site.lastToken()}`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('ana@ejemplo.com.ar')

    const entered = await site.post('/cuenta/enlace', { enlace: site.lastToken() })
    expect(entered.status).toBe(303)
    expect(entered.headers.get('Location')).toBe('/cuenta')

    const account = await site.fetch('/cuenta', { headers: { Cookie: cookieOf(entered) } })
    expect(account.status).toBe(200)
    expect(await account.text()).toContain('ana@ejemplo.com.ar')
  })

  it('sets one cookie that scripts cannot read and other sites do not send', async () => {
    const site = openSite()
    await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
    const entered = await site.post('/cuenta/enlace', { enlace: site.lastToken() })

    const cookies = entered.headers.getSetCookie()
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/^__Host-session=/)
    expect(cookies[0]).toMatch(/; HttpOnly/)
    expect(cookies[0]).toMatch(/; Secure/)
    expect(cookies[0]).toMatch(/; SameSite=Lax/)
    expect(cookies[0]).toMatch(/; Path=\//)
    expect(cookies[0]).not.toMatch(/Domain/i)
  })

  it('is not used up by being opened, however often', async () => {
    const site = openSite()
    await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
    for (let i = 0; i < 3; i++) {
      const page = await site.fetch(`/cuenta/enlace?token=${site.lastToken()}`)
      expect(page.status).toBe(200)
      expect(page.headers.getSetCookie()).toEqual([])
    }
    const entered = await site.post('/cuenta/enlace', { enlace: site.lastToken() })
    expect(entered.status).toBe(303)
  })

  it('works once, even when pressed many times at once', async () => {
    const site = openSite()
    await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
    const token = site.lastToken()

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => site.post('/cuenta/enlace', { enlace: token })),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      303,
      ...Array<number>(9).fill(410),
    ])
    const sessions = await countRows('sessions')
    expect(sessions).toBe(1)

    const again = await site.fetch(`/cuenta/enlace?token=${token}`)
    expect(again.status).toBe(410)
    expect(await again.text()).toContain('ya no sirve')
  })

  it('dies after ten minutes', async () => {
    const site = openSite()
    await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
    const [link] = await readRows('verifications')
    const life = Number(link!.expiresAt) - Number(link!.createdAt)
    expect(Math.abs(life - 10 * MINUTE_MS)).toBeLessThan(1000)

    site.clock.now += 10 * MINUTE_MS + 1000
    expect((await site.fetch(`/cuenta/enlace?token=${site.lastToken()}`)).status).toBe(410)

    await changeRows('verifications', { expiresAt: new Date(Date.now() - 1) })
    const late = await site.post('/cuenta/enlace', { enlace: site.lastToken() })
    expect(late.status).toBe(410)
    expect(late.headers.getSetCookie()).toEqual([])
  })

  it('is stored only as a hash', async () => {
    const site = openSite()
    await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
    const links = await readRows('verifications')
    expect(links).toHaveLength(1)
    expect(JSON.stringify(links)).not.toContain(site.lastToken())
  })

  it.each(['', 'x', "' OR 1=1 --", '<script>', 'ñ', 'a'.repeat(200)])(
    'that was never made (%j) opens nothing',
    async (token) => {
      const site = openSite()
      const page = await site.fetch(`/cuenta/enlace?token=${encodeURIComponent(token)}`)
      expect(page.status).toBe(410)
      const entered = await site.post('/cuenta/enlace', { enlace: token })
      expect([400, 410]).toContain(entered.status)
      expect(entered.headers.getSetCookie()).toEqual([])
    },
  )

  it.each([
    '',
    'x',
    '{"email":"ana@ejem',
    'null',
    '"ana@ejemplo.com.ar"',
    '{}',
    '{"email":7}',
    '{"email":"ana"}',
  ])('whose row is damaged (%j) opens nothing', async (value) => {
    const site = openSite()
    await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
    await changeRows('verifications', { value })
    const entered = await site.post('/cuenta/enlace', { enlace: site.lastToken() })
    expect([entered.status, entered.headers.getSetCookie()]).toEqual([410, []])
    const page = await site.fetch(`/cuenta/enlace?token=${site.lastToken()}`)
    expect(page.status).toBe(410)
    expect(await page.text()).toContain('ya no sirve')
  })

  it.each([
    ['https://evil.example', undefined, 'https://cotiza.example'],
    ['http://cotiza.example', 'https://cotiza.example', 'https://cotiza.example'],
    ['https://cotiza.example:99', undefined, 'https://cotiza.example'],
    ['https://otra.example', 'https://otra.example', 'https://otra.example'],
  ])('asked for at %s leads to an origin of ours alone', async (at, Origin, leads) => {
    const site = openSite({ env: { PUBLIC_ORIGIN: 'https://cotiza.example,https://otra.example' } })
    const asked = await site.fetch(`${at}/cuenta/entrar`, {
      method: 'POST',
      headers: Origin === undefined ? {} : { Origin },
      body: new URLSearchParams({ email: 'ana@ejemplo.com.ar' }),
    })
    expect(asked.status).toBe(200)
    expect(site.mails[0]!.text).toContain(`${leads}/cuenta/enlace?token=`)

    const foreign = await site.fetch(`${at}/cuenta/entrar`, {
      method: 'POST',
      headers: { Origin: leads === at ? 'https://evil.example' : at },
      body: new URLSearchParams({ email: 'ana@ejemplo.com.ar' }),
    })
    expect(foreign.status).toBe(403)
  })

  it('is mailed by nobody who has no origin of ours for it', async () => {
    const EMAIL = { send: vi.fn() } as never
    const env = { EMAIL, MAIL_FROM: 'a@b.example', PUBLIC_ORIGIN: '' }
    const site = openSite({ env, sendMail: sendThroughBinding })
    const asked = await site.post(
      '/cuenta/entrar',
      { email: 'ana@ejemplo.com.ar' },
      { Origin: 'http://localhost' },
    )
    expect(asked.status).toBe(503)
    expect(vi.mocked((EMAIL as { send: () => void }).send)).not.toHaveBeenCalled()
  })
})

describe('asking for a link', () => {
  it.each([
    '',
    'ana',
    'ana@',
    '@ejemplo.com',
    'ana@ejemplo',
    'a b@c.com',
    'a@b.com\r\nBcc: c@d.com',
  ])('refuses %j, which is no e-mail', async (email) => {
    const site = openSite()
    const response = await site.post('/cuenta/entrar', { email })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('no parece un correo')
    expect(site.mails).toEqual([])
  })

  it('answers known and unknown e-mails alike', async () => {
    const site = openSite()
    await site.signIn('conocida@ejemplo.com')

    const known = await site.post('/cuenta/entrar', { email: 'conocida@ejemplo.com' })
    const unknown = await site.post('/cuenta/entrar', { email: 'otra-cosa@ejemplo.com' })

    expect(known.status).toBe(unknown.status)
    expect(withoutName(await known.text())).toBe(withoutName(await unknown.text()))
    expect([...known.headers]).toEqual([...unknown.headers])
    expect(site.mails.map((mail) => mail.subject)).toEqual(
      Array(site.mails.length).fill(site.mails[0]!.subject),
    )
  })

  it('says so when the mail cannot be sent, and tells nothing else', async () => {
    const site = openSite({
      sendMail: () => Promise.reject(new Error('secret-smtp-detail ana@ejemplo.com.ar')),
    })
    const response = await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('60')
    const text = await response.text()
    expect(text).toContain('No pudimos mandar el enlace')
    expect(text).not.toContain('secret-smtp-detail')
  })

  it('lets 5 links to one mailbox pass in an hour, asked for at once, from anywhere', async () => {
    const site = openSite()
    const ask = (i: number) =>
      site.post(
        '/cuenta/entrar',
        { email: i % 2 ? `Ana+${i}@ejemplo.com.ar` : 'ana@ejemplo.com.ar' },
        { 'CF-Connecting-IP': `192.0.2.${i}` },
      )

    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(i)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5)
    const refused = answers.filter((answer) => answer.status === 429)
    expect(refused).toHaveLength(7)
    expect(Number(refused[0]!.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
    expect(Number(refused[0]!.headers.get('Retry-After'))).toBeLessThanOrEqual(3600)
    expect(await refused[0]!.text()).toContain(
      'Mandamos hasta 5 enlaces por hora a un correo y hasta 10 desde una conexión',
    )
    expect(site.mails).toHaveLength(5)

    expect((await site.post('/cuenta/entrar', { email: 'otra@ejemplo.com' })).status).toBe(200)
    site.clock.now += 60 * MINUTE_MS
    expect((await ask(99)).status).toBe(200)
  })

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7', '::ffff:192.0.2.7'],
    ['2001:db8::1', '2001:DB8:0:0:ffff::2'],
  ])(
    'lets 10 links an hour pass from one network, to whatever mailboxes (%s, %s)',
    async (one, other) => {
      const site = openSite()
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          site.post(
            '/cuenta/entrar',
            { email: `persona${i}@ejemplo.com` },
            { 'CF-Connecting-IP': i % 2 ? one : other },
          ),
        ),
      )
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10)
      expect(site.mails).toHaveLength(10)
      site.clock.now += 59 * MINUTE_MS
      const late = { email: 'tarde@ejemplo.com' }
      expect((await site.post('/cuenta/entrar', late, { 'CF-Connecting-IP': one })).status).toBe(
        429,
      )
    },
  )

  it.each([
    ['::ffff:192.0.2.1', '::ffff:198.51.100.9'],
    ['2001:db8:0:1::1', '2001:db8:0:2::1'],
  ])('counts two networks apart (%s, %s)', async (one, other) => {
    const site = openSite()
    for (let i = 0; i < 10; i++)
      await site.post('/cuenta/entrar', { email: `p${i}@ejemplo.com` }, { 'CF-Connecting-IP': one })
    const answer = await site.post(
      '/cuenta/entrar',
      { email: 'otra@ejemplo.com' },
      { 'CF-Connecting-IP': other },
    )
    expect(answer.status).toBe(200)
  })

  it('lets 15 links pass from one IPv6 /48, whatever /64 each comes from', async () => {
    const site = openSite()
    const ask = (address: string, i: number) =>
      site.post(
        '/cuenta/entrar',
        { email: `persona${i}@ejemplo.com` },
        { 'CF-Connecting-IP': address },
      )
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => ask(`2001:db8:1:${i.toString(16)}::1`, i)),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(15)
    expect(site.mails).toHaveLength(15)
    expect((await ask('2001:db8:2::1', 50)).status).toBe(200)
  })

  it('keeps no address and no e-mail in its counters', async () => {
    const site = openSite()
    await site.post(
      '/cuenta/entrar',
      { email: 'ana@ejemplo.com.ar' },
      { 'CF-Connecting-IP': '192.0.2.7' },
    )
    const quotas = await readRows('signInQuotas')
    expect(quotas).toHaveLength(2)
    expect(JSON.stringify(quotas)).not.toMatch(/ana@|192\.0/)
  })

  it('answers 503 when no session secret is configured', async () => {
    const site = openSite({ env: { SESSION_SECRET: 'short' } })
    const response = await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
    expect(response.status).toBe(503)
    expect(site.mails).toEqual([])
  })
})

describe('the place where a sign-in ends', () => {
  const elsewhere = [
    'https://malo.example/',
    '//malo.example',
    '/\\malo.example',
    'javascript:alert(1)',
    '%2f%2fmalo.example',
    'https://cotizaciones.test@malo.example/',
  ]
  const names = [
    'callbackURL',
    'volver',
    'next',
    'redirect',
    'returnTo',
    'errorCallbackURL',
    'newUserCallbackURL',
  ]

  it.each(elsewhere)('is /cuenta and never %s', async (target) => {
    const site = openSite()
    const extra = Object.fromEntries(names.map((name) => [name, target]))
    const query = new URLSearchParams(extra).toString()

    await site.post(`/cuenta/entrar?${query}`, { email: 'ana@ejemplo.com.ar', ...extra })
    expect(site.mails[0]!.text).not.toContain('malo')
    const page = await site.fetch(`/cuenta/enlace?token=${site.lastToken()}&${query}`)
    expect(await page.text()).not.toContain('malo')
    const entered = await site.post(`/cuenta/enlace?${query}`, {
      enlace: site.lastToken(),
      ...extra,
    })
    expect(entered.headers.get('Location')).toBe('/cuenta')
  })
})

describe('a session', () => {
  it('planted before the sign-in is worth nothing afterwards', async () => {
    const site = openSite()
    await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
    const planted = '__Host-session=planted.value'
    const entered = await site.post(
      '/cuenta/enlace',
      { enlace: site.lastToken() },
      { Cookie: planted },
    )
    expect(cookieOf(entered)).not.toContain('planted')
    const asPlanted = await site.fetch('/cuenta', { headers: { Cookie: planted } })
    expect(asPlanted.status).toBe(303)
  })

  it('of the browser before the sign-in ends with it', async () => {
    const site = openSite()
    const attacker = await site.signIn('otro@ejemplo.com')
    await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
    const entered = await site.post(
      '/cuenta/enlace',
      { enlace: site.lastToken() },
      { Cookie: attacker },
    )

    const mine = await site.fetch('/cuenta', { headers: { Cookie: cookieOf(entered) } })
    expect(await mine.text()).toContain('ana@ejemplo.com.ar')
    const old = await site.fetch('/cuenta', { headers: { Cookie: attacker } })
    expect(old.status).toBe(303)
  })

  it('ends at sign-out in the database too', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    const token = await site.formToken(cookie)
    const left = await site.post('/cuenta/salir', { token }, { Cookie: cookie })
    expect(left.status).toBe(303)
    expect(left.headers.getSetCookie().join()).toMatch(/__Host-session=;.*Max-Age=0/)

    expect((await site.fetch('/cuenta', { headers: { Cookie: cookie } })).status).toBe(303)
    expect((await site.fetch('/api/account', { headers: { Cookie: cookie } })).status).toBe(401)
    expect(await countRows('sessions')).toBe(0)
  })

  it('with a changed signature, token or nothing in it opens nothing', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    for (const bad of [
      `${cookie.slice(0, -6)}AAAA%3D`,
      cookie.split('.')[0]!,
      '__Host-session=',
      'session=x',
    ])
      expect((await site.fetch('/api/account', { headers: { Cookie: bad } })).status).toBe(401)
  })

  it('expires after 14 days', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    await changeRows('sessions', { expiresAt: new Date(Date.now() - 1) })
    expect((await site.fetch('/api/account', { headers: { Cookie: cookie } })).status).toBe(401)
  })

  it('keeps no trace of address and browser', async () => {
    const site = openSite()
    await site.signIn()
    expect(await readRows('sessions')).toMatchObject([{ ipAddress: null, userAgent: null }])
  })
})

it.each([
  '/api/auth/sign-in/magic-link',
  '/api/auth/magic-link/verify',
  '/api/auth/get-session',
  '/api/auth/callback/github',
  '/api/auth/ok',
  '/api/auth/delete-user',
])('the sign-in library is not reachable at %s', async (path) => {
  const site = openSite()
  for (const method of ['GET', 'POST']) {
    const response = await site.fetch(path, { method })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: 'Recurso no encontrado' })
  }
})

describe('GitHub', () => {
  const github = { env: { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' } }

  it('is offered only where configured', async () => {
    expect(await (await openSite().fetch('/cuenta/entrar')).text()).not.toContain('GitHub')
    expect(await (await openSite(github).fetch('/cuenta/entrar')).text()).toContain('GitHub')
    expect((await openSite().post('/cuenta/entrar/github', {})).status).toBe(404)
  })

  it('is gone to with a state that the browser holds too', async () => {
    const response = await openSite(github).post('/cuenta/entrar/github', {})
    expect(response.status).toBe(303)
    const to = new URL(response.headers.get('Location')!)
    expect(to.origin).toBe('https://github.com')
    expect(to.searchParams.get('redirect_uri')).toBe(`${ORIGIN}/api/auth/callback/github`)
    expect(to.searchParams.get('state')).toBeTruthy()
    expect(response.headers.getSetCookie().join()).toMatch(/HttpOnly.*Secure|Secure.*HttpOnly/)
    expect(response.headers.get('Content-Security-Policy')).toContain(
      "form-action 'self' https://github.com",
    )
  })

  it.each(['?code=x', '?code=x&state=forged', '?error=access_denied&state=y', ''])(
    'coming back with %s signs nobody in',
    async (query) => {
      const response = await openSite(github).fetch(`/api/auth/callback/github${query}`)
      expect(response.status).toBe(303)
      expect(response.headers.get('Location')).toBe('/cuenta/entrar?aviso=github')
      expect(response.headers.getSetCookie().join()).not.toMatch(/session=[^;]/)
    },
  )
})

/** A page apart from the e-mail that was typed. */
function withoutName(page: string): string {
  return page.replaceAll(/(conocida|otra-cosa)@/g, 'x@')
}
